/**
 * The base addresses of the service (spec, introduction and §4.4) and the sandbox's own one for
 * steering. `httpPath` is where the HTTP sandbox serves it, `url` its default in process.
 */
export const addresses = {
  api: {
    title: 'Production',
    placeholder: '{base_url}',
    environment: 'production',
    httpPath: '/v1',
    url: 'https://api.petstore.example/v1',
  },
  staging: {
    title: 'Staging',
    placeholder: '{staging_base_url}',
    environment: 'staging',
    httpPath: '/staging/v1',
    url: 'https://staging.api.petstore.example/v1',
  },
  quickstart: {
    title: 'Quickstart',
    placeholder: '{quickstart_base_url}',
    environment: 'production',
    httpPath: '/quickstart',
    url: 'https://quickstart.petstore.example',
  },
  control: {
    title: 'Steering',
    placeholder: null,
    environment: 'production',
    httpPath: '/sandbox',
    url: 'https://api.petstore.example/sandbox',
  },
  stagingControl: {
    title: 'Steering of staging',
    placeholder: null,
    environment: 'staging',
    httpPath: '/staging/sandbox',
    url: 'https://staging.api.petstore.example/sandbox',
  },
} as const

export type AddressId = keyof typeof addresses

export const environments = ['production', 'staging'] as const

/** Which deployment of the service a call reaches; each has worlds of its own (assumption A13). */
export type Environment = (typeof environments)[number]

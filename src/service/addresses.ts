/**
 * The base addresses of the service (spec, introduction and §4.4) and of the control API. `httpPath` is
 * the path in the HTTP sandbox. `url` is the default URL in process.
 */
export const addresses = {
  api: {
    title: 'Production',
    api: 'service',
    environment: 'production',
    httpPath: '/v1',
    url: 'https://api.petstore.example/v1',
  },
  staging: {
    title: 'Staging',
    api: 'service',
    environment: 'staging',
    httpPath: '/staging/v1',
    url: 'https://staging.api.petstore.example/v1',
  },
  quickstart: {
    title: 'Quickstart',
    api: 'service',
    environment: 'production',
    httpPath: '/quickstart',
    url: 'https://quickstart.petstore.example',
  },
  control: {
    title: 'Control API',
    api: 'control',
    environment: 'production',
    httpPath: '/sandbox',
    url: 'https://api.petstore.example/sandbox',
  },
  stagingControl: {
    title: 'Control API of staging',
    api: 'control',
    environment: 'staging',
    httpPath: '/staging/sandbox',
    url: 'https://staging.api.petstore.example/sandbox',
  },
} as const

export type AddressId = keyof typeof addresses

export const environments = ['production', 'staging'] as const

/** A deployment of the service. Each has separate worlds (assumption A13). */
export type Environment = (typeof environments)[number]

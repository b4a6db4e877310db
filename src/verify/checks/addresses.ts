import { type Check, Skip } from '../check.js'
import { expectStatus, expectThat, isUnrouted } from '../deviation.js'
import { listInventory, toEntries, update } from '../inventory.js'

/** The introduction, and §9: base addresses. */
export const addressChecks: readonly Check[] = [
  {
    id: 'base-address.version',
    section: 'introduction',
    sentence: 'The base address already ends in the version segment /v1.',
    restated: [
      {
        section: '9',
        sentence: 'The version is part of the base address: the path prefix is `/v1`.',
      },
    ],
    requests: 0,
    run: ({ urls }) => expectThat(endsInVersion(urls.api), '{base_url} that ends in /v1', urls.api),
  },
  {
    id: 'staging.separate',
    section: 'introduction',
    sentence:
      'A staging environment exists at a separate base address, {staging_base_url}, with the same path shapes.',
    needs: 'staging',
    requests: 4,
    async run({ urls, observe }) {
      const { api, staging = '' } = urls
      const address = 'staging'
      const list = await observe({ ...listInventory, address })
      const orders = await observe({ path: '/store/orders', address })
      const anonymous = await observe({ ...listInventory, address, credential: 'missing' })
      const [first] = list.status === 200 ? toEntries(list) : []
      const pet = first && (await observe({ path: `/pets/${first.petId}`, address }))
      return [
        ...expectThat(staging !== api, 'a {staging_base_url} other than {base_url}', staging),
        ...expectThat(endsInVersion(staging), '{staging_base_url} that ends in /v1', staging),
        ...expectStatus(list, 200),
        ...(isUnrouted(orders) ? expectStatus(orders, 200) : []),
        ...(pet && isUnrouted(pet) ? expectStatus(pet, 200) : []),
        ...expectStatus(anonymous, 401),
      ]
    },
  },
  {
    id: 'staging.update',
    section: 'introduction',
    sentence:
      'A staging environment exists at a separate base address, {staging_base_url}, with the same path shapes.',
    needs: 'staging',
    writes: true,
    requests: 2,
    async run({ observe, send }) {
      const address = 'staging'
      const [first] = toEntries(await observe({ ...listInventory, address }))
      if (!first) throw new Skip('the inventory of staging is empty')
      // Without a key, so that it changes nothing.
      const request = update(first.petId, { quantity: first.quantity })
      return expectStatus(await send({ ...request, address, credential: 'missing' }), 401)
    },
  },
]

function endsInVersion(url: string): boolean {
  return new URL(url).pathname.endsWith('/v1')
}

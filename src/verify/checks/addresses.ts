import { type Check, expectStatus, expectThat } from '../check.js'
import { listInventory, toEntries, update } from '../inventory.js'
import { isUnrouted } from '../response.js'
import { Skip } from '../session.js'

const address = 'staging'
const separate =
  '§introduction A staging environment exists at a separate base address, {staging_base_url}, with the same path shapes.'

/** The introduction, and §9: base addresses. */
export const addressChecks: readonly Check[] = [
  {
    id: 'base-address.version',
    statement: '§introduction The base address already ends in the version segment /v1.',
    restated: ['§9 The version is part of the base address: the path prefix is `/v1`.'],
    run({ options: { urls } }) {
      return expectThat(endsInVersion(urls.api), '{base_url} that ends in /v1', urls.api)
    },
  },
  {
    id: 'staging.separate',
    statement: separate,
    needs: 'staging',
    async run({ options, observe }) {
      const { api, staging = '' } = options.urls
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
    statement: separate,
    needs: 'staging',
    writes: 2,
    async run({ observe, send }) {
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

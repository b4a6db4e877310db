import { connection } from 'next/server'
import { listInventory } from '../lib/inventory'
import { findService } from '../lib/service'
import { sellOne } from './actions'
import { AddOne } from './add-one'

/** A server component. Its requests are sent by the server. */
export default async function Page() {
  await connection() // Renders for each request, not once during the build.
  const service = await findService()
  const items = await listInventory(service)
  return (
    <main>
      <h1>Stock</h1>
      <table>
        <tbody>
          {items.map((item) => (
            <tr key={item.petId}>
              <th scope="row">Pet {item.petId}</th>
              <td>{item.quantity}</td>
              <td>
                <AddOne service={service} item={item} />
                <form action={sellOne.bind(null, item.petId, item.quantity)}>
                  <button type="submit">Sell one</button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}

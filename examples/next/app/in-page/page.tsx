import { MockProvider } from './mock-provider'
import { Stock } from './stock'

const service = {
  url: 'https://api.petstore.example/v1',
  apiKey: process.env.NEXT_PUBLIC_PETSTORE_API_KEY ?? '',
}

/** A page whose requests are all sent by the browser. */
export default function Page() {
  return (
    <main>
      <h1>Stock</h1>
      <MockProvider>
        <Stock service={service} />
      </MockProvider>
    </main>
  )
}

import { connection } from 'next/server'

export default async function Page() {
  await connection()
  const response = await fetch('https://api.petstore.example/v1/inventory', {
    headers: { Authorization: 'Bearer sbx_free' },
  }).catch((error) => error.cause)
  return (
    <main>
      <h1>Stock</h1>
      <p>{response.status ?? response.code}</p>
    </main>
  )
}

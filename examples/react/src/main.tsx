import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Inventory } from './inventory.js'
import { createQueryClient } from './query-client.js'
import { PetStore } from './service.js'

const queryClient = createQueryClient()

// Vite replaces the mode by a constant, and removes this block from the production build.
if (import.meta.env.MODE !== 'production') {
  const { startMock } = await import('./mock.js')
  await startMock(queryClient)
}

const store = new PetStore(import.meta.env.VITE_API_KEY)
const element = document.getElementById('app')
if (element) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Inventory store={store} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

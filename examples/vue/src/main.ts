import { VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import InventoryList from './inventory-list.vue'
import { createQueryClient } from './query-client.js'
import { PetStore } from './service.js'

const { VITE_API_KEY, VITE_PETSTORE_URL } = import.meta.env
const store = new PetStore(VITE_API_KEY, VITE_PETSTORE_URL)

createApp(InventoryList, { store })
  .use(VueQueryPlugin, { queryClient: createQueryClient() })
  .mount('#app')

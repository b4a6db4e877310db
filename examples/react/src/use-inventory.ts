import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { InventoryItem, PetStore } from './service.js'

const queryKey = ['inventory']

export function useInventory(store: PetStore) {
  return useQuery({ queryKey, queryFn: () => store.listInventory() })
}

/** Sets the quantity of a pet. The list shows it at once, and the old one again after an error. */
export function useSetQuantity(store: PetStore, { petId, quantity }: InventoryItem) {
  const queryClient = useQueryClient()
  const show = (changed: Partial<InventoryItem>) =>
    queryClient.setQueryData<InventoryItem[]>(queryKey, (items) =>
      items?.map((item) => (item.petId === petId ? { ...item, ...changed } : item)),
    )

  return useMutation({
    mutationFn: (wanted: number) => store.setQuantity(petId, wanted),
    async onMutate(wanted) {
      // The response of a running request would replace the new quantity by the old one.
      await queryClient.cancelQueries({ queryKey })
      show({ quantity: wanted })
      return { quantity }
    },
    onError(_error, _wanted, previous) {
      if (previous) show(previous)
    },
    // The response has the new state: reading the list again would be charged to the rate limit.
    onSuccess: show,
  })
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query'
import type { InventoryItem, PetStore } from './service.js'

const queryKey = ['inventory']

export function useInventory(store: PetStore) {
  return useQuery({ queryKey, queryFn: () => store.listInventory() })
}

/** Sets the quantity of a pet. The list shows it at once, and the old one again after an error. */
export function useSetQuantity(store: PetStore, petId: number) {
  const queryClient = useQueryClient()
  const findItem = () =>
    queryClient.getQueryData<InventoryItem[]>(queryKey)?.find((item) => item.petId === petId)
  const show = (changed: Partial<InventoryItem>) =>
    queryClient.setQueryData<InventoryItem[]>(queryKey, (items) =>
      items?.map((item) => (item.petId === petId ? { ...item, ...changed } : item)),
    )

  return useMutation({
    mutationFn: (quantity: number) => store.setQuantity(petId, quantity),
    async onMutate(quantity) {
      // The response of a running request would replace the new quantity by the old one.
      await queryClient.cancelQueries({ queryKey })
      const previous = findItem()
      show({ quantity })
      return previous
    },
    onError(_error, _quantity, previous) {
      if (previous) show(previous)
    },
    // The response has the new state: reading the list again would be charged to the rate limit.
    onSuccess: show,
  })
}

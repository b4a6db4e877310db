import type { CommandGroup, CommandRow } from '../command-row.js'

const loadPets = () => import('../actions/pets.js')
const loadOrders = () => import('../actions/orders.js')

const notes = `A value is read as JSON where it is JSON, else as text: quantity=3, name=Rex, 'name="7"'.
Any further fields are served as given.`

const petId = ['<petId>', 'the pet'] as const
const orderId = ['<id>', 'the order'] as const
const fields = ['<field...>', 'fields as name=value, or a JSON object, or a .json file'] as const

export const petsGroup: CommandGroup = {
  name: 'pets',
  description: 'List, add, change or remove pets and their stock.',
  rows: [
    {
      name: 'list',
      description: 'List the pets, each with its stock.',
      examples: ['world pets list'],
      load: async () => (await loadPets()).showPets,
    },
    {
      name: 'add',
      description: 'Add a pet, at the end of every list.',
      args: [fields],
      notes,
      examples: [
        'world pets add petId=77 name=Rex category=dog quantity=3',
        `world pets add '{"petId": 78, "name": "Tom", "tags": ["tabby"]}'`,
      ],
      load: async () => (await loadPets()).addOnePet,
    },
    {
      name: 'change',
      description: 'Change fields of a pet, its stock and status among them.',
      args: [petId, fields],
      notes,
      examples: ['world pets change 7 quantity=0 status=sold'],
      load: async () => (await loadPets()).changeOnePet,
    },
    {
      name: 'remove',
      description: 'Remove a pet from the store and its inventory; orders of it stay.',
      args: [petId],
      examples: ['world pets remove 7'],
      load: async () => (await loadPets()).removeOnePet,
    },
  ],
}

export const ordersGroup: CommandGroup = {
  name: 'orders',
  description: 'List, add, change or remove store orders.',
  rows: [
    {
      name: 'list',
      description: 'List the store orders.',
      examples: ['world orders list'],
      load: async () => (await loadOrders()).showOrders,
    },
    {
      name: 'add',
      description: 'Add a store order, at the end of every list.',
      args: [fields],
      notes,
      examples: ['world orders add id=2001 petId=7 quantity=2'],
      load: async () => (await loadOrders()).addOneOrder,
    },
    {
      name: 'change',
      description: 'Change fields of a store order.',
      args: [orderId, fields],
      notes,
      examples: ['world orders change 1001 status=delivered complete=true'],
      load: async () => (await loadOrders()).changeOneOrder,
    },
    {
      name: 'remove',
      description: 'Remove a store order.',
      args: [orderId],
      examples: ['world orders remove 1001'],
      load: async () => (await loadOrders()).removeOneOrder,
    },
  ],
}

export const messagesRow: CommandRow = {
  name: 'messages',
  description: 'List the messages that were queued, the oldest first.',
  examples: ['world messages', 'world messages --json'],
  load: async () => (await import('../actions/messages.js')).showMessages,
}

/** Tests whose requests are in no golden file, by their title. */
export const omitted: readonly { readonly title: RegExp; readonly reason: string }[] = [
  {
    title: /responds to a bug with an Error body without a stack$/,
    reason: 'It replaces methods of the database, which is no data.',
  },
  {
    title: /shows the world at the time of the request, whatever is written meanwhile$/,
    reason: 'It replaces methods of the database, which is no data.',
  },
  {
    title: /without captured records, it would show changes that are made meanwhile$/,
    reason: 'It replaces methods of the database, which is no data.',
  },
  {
    title: /(?<!putScenario) accepts 8 MiB and responds with 413 to one byte more$/,
    reason: 'The bodies take time, and putScenario sends the same ones.',
  },
]

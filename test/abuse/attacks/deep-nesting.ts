import { defineBodyTrial } from './put-scenario.js'

const nest = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`

export const deepNesting = defineBodyTrial({
  name: 'deep-nesting',
  title: 'JSON that is nested up to 4 million levels deep, in bodies of 8 MiB.',
  full: 30,
  bodies: () => [
    nest('[', ']', 4_100_000),
    nest('{"a":', '}', 1_300_000),
    `{"name":"a","pets":[{"petId":1,"name":"a","x":${nest('[', ']', 4_000_000)}}]}`,
  ],
})

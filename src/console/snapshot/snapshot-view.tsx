import { LoadCard } from './load-card.js'
import { SaveCard } from './save-card.js'

/** The world as a file, out and in. */
export function SnapshotView() {
  return (
    <>
      <SaveCard />
      <LoadCard />
    </>
  )
}

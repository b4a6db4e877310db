import { useState } from 'preact/hooks'
import { Notice } from './notice.js'
import type { Deprecation, Pet, PetStore } from './service.js'

interface PetSearchProps {
  readonly store: PetStore
  readonly isPaused: boolean
  readonly report: (error: unknown) => boolean
}

export function PetSearch({ store, isPaused, report }: PetSearchProps) {
  const [petId, setPetId] = useState('')
  const [found, setFound] = useState<{ pet: Pet; deprecation: Deprecation }>()
  const [problem, setProblem] = useState<unknown>()

  const search = async (event: Event) => {
    event.preventDefault()
    setFound(undefined)
    setProblem(undefined)
    try {
      setFound(await store.findPet(petId))
    } catch (error) {
      if (!report(error)) setProblem(error)
    }
  }

  return (
    <section aria-labelledby="search">
      <h2 id="search">Look up a pet</h2>
      <form onSubmit={search}>
        <input
          required
          inputMode="numeric"
          aria-label="Number of the pet"
          placeholder="Its number"
          value={petId}
          onInput={(event) => setPetId(event.currentTarget.value)}
        />
        <button type="submit" disabled={isPaused}>
          Look up
        </button>
      </form>
      {problem !== undefined && <Notice problem={problem} />}
      {found && (
        <>
          <p class="found">
            <b>{found.pet.name}</b>, {found.pet.category}
            <span class="quiet"> {found.pet.tags.join(', ')}</span>
          </p>
          <DeprecationNote deprecation={found.deprecation} />
        </>
      )}
    </section>
  )
}

function DeprecationNote({ deprecation: { since, sunset } }: { deprecation: Deprecation }) {
  return (
    <p class="deprecated" role="note">
      The service deprecated this look-up on {toDate(since)} and ends it on <b>{toDate(sunset)}</b>.
    </p>
  )
}

function toDate(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
}

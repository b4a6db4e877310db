import type { Failure } from '../session/failure.js'

/** Shown instead of data that could not be loaded. */
export function LoadFailure(props: { what: string; failure: Failure }) {
  const { what, failure } = props
  return (
    <p role="alert" class="bad">
      {what} could not be loaded: {failure.message}. {failure.advice} The page tries again.
    </p>
  )
}

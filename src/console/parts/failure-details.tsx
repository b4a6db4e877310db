import { type Failure, toSentences } from '../session/failure.js'

/** What failed, and what the user can do. */
export function FailureDetails({ failure }: { failure: Failure }) {
  return <p>{toSentences(failure)}</p>
}

/** Shown instead of data that could not be loaded. */
export function LoadFailure(props: { what: string; failure: Failure }) {
  const { what, failure } = props
  return (
    <p role="alert" class="bad">
      {what} could not be loaded: {failure.message}. {failure.advice} The page tries again.
    </p>
  )
}

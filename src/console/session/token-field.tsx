import { isSendable } from '../../service/validation/options.js'
import { useSession } from './session.js'

/** Reads the token that a sandbox can require for control requests. It is kept like the key. */
export function TokenField() {
  const { access, setAccess } = useSession()
  const change = (typed: string) => {
    const { token: _, ...rest } = access
    const token = typed.trim()
    if (token === '') setAccess(rest)
    else if (isSendable(token)) setAccess({ ...rest, token })
  }
  return (
    <label class="field">
      Sandbox token, if the sandbox requires one
      <input
        class="code"
        type="password"
        value={access.token ?? ''}
        onInput={(event) => change(event.currentTarget.value)}
        pattern="\s*[!-~]*\s*"
        title="visible ASCII characters"
        autocomplete="off"
      />
    </label>
  )
}

import { toFailure } from '../../control/client/console/failure.js'
import type { Report } from '../../report/report.js'
import { useSession } from '../session/session.js'
import type { DownloadFormat } from './save-report.js'

const labels: Record<DownloadFormat, string> = { html: 'HTML', junit: 'JUnit', json: 'JSON' }

/** Saves the report that is shown as a file. */
export function Downloads({ report }: { report: Report }) {
  const { notify } = useSession()
  const save = async (format: DownloadFormat) => {
    try {
      // Most visits save nothing.
      const { saveReport } = await import('./save-report.js')
      notify(`Saved ${saveReport(report, format)}.`)
    } catch (error) {
      // A page that is older than the files of the sandbox cannot load the formats.
      const { message } = toFailure(error)
      notify(`The report was not saved: ${message}. Reload the page and try again.`, 'error')
    }
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form.
    <div class="actions" role="group" aria-label="Save the report">
      <span class="hint">Save as</span>
      {Object.entries(labels).map(([format, label]) => (
        <button
          key={format}
          type="button"
          aria-label={`Save as ${label}`}
          onClick={() => void save(format as DownloadFormat)} // a key of the table
        >
          {label}
        </button>
      ))}
    </div>
  )
}

/**
 * The names side by side. What was not known of a domain when its name was put into the tray is asked once more when the
 * comparison is opened.
 */
import { useEffect, useRef } from 'react'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/i18n.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { latestOf, noteVerdicts } from '../actions/recheck.ts'
import { stateOf } from '../result.ts'
import type { Result } from '../result.ts'
import { CompareTable } from './compare-table.tsx'
import { takeOut } from './compared.ts'

const CHECK_MOST = 200

export default function CompareDialog({
  results,
  onClose,
}: {
  readonly results: readonly Result[]
  readonly onClose: () => void
}) {
  const { t } = useText()
  const top = useRef<HTMLDivElement>(null)
  useAskUnknown(results)
  const out = (result: Result) => {
    takeOut(result)
    if (results.length === 1) onClose()
    else top.current?.focus()
  }
  return (
    <Dialog open onClose={onClose} title={t('compare.title')} description={t('compare.about')} widest>
      <div ref={top} tabIndex={-1} className="grid min-w-0 gap-4 outline-none">
        <CompareTable results={results} onTakeOut={out} />
      </div>
    </Dialog>
  )
}

function useAskUnknown(results: readonly Result[]): void {
  const client = useClient()
  const unknown = results
    .flatMap(({ domains }) => domains.map(latestOf))
    .filter((domain) => stateOf(domain) === 'unknown')
    .map(({ domain }) => domain)
    .slice(0, CHECK_MOST)
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current || unknown.length === 0) return
    asked.current = true
    // A name that cannot be checked stays unknown, and the dialog says so.
    client?.check(unknown).then(noteVerdicts, () => undefined)
  }, [client, unknown])
}

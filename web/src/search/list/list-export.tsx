/** Takes a checked list along: everything as a table, or the available domains as lines of text. */
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { latestOf } from '../actions/recheck.ts'
import { csvOf } from '../export/csv.ts'
import { stateOf } from '../result.ts'
import { entryOf } from './list-row.tsx'
import type { ListCheck } from './use-list-check.ts'

export function ListExport({ rows }: { readonly rows: ListCheck['rows'] }) {
  const { t } = useText()
  const known = () =>
    [...rows].flatMap(([input, row]) => {
      if (row.kind !== 'checked') return []
      const entry = latestOf(entryOf(row.checked))
      return [{ name: input, domain: entry.domain, state: stateOf(entry), entry, rationale: undefined }]
    })
  const available = () =>
    known()
      .filter(({ state }) => state === 'free')
      .map(({ domain }) => domain)
  const save = (ending: string, type: string, text: string) => {
    const name = `domains-${new Date().toISOString().slice(0, 10)}.${ending}`
    download(text, { name, type: `${type};charset=utf-8` })
    showToast({ text: t('export.saved', { file: name }) })
  }
  const copy = async () => {
    const domains = available()
    try {
      await navigator.clipboard.writeText(domains.join('\n'))
      showToast({ text: t('list.copied', { count: domains.length }) })
    } catch {
      showToast({ kind: 'failed', text: t('export.copyFailed') })
    }
  }
  return (
    <Menu
      label={t('export.formats')}
      trigger={(props) => (
        <Button small icon="download" {...props}>
          {t('export.open')}
        </Button>
      )}
      entries={[
        { label: t('export.csv'), onSelect: () => save('csv', 'text/csv', csvOf(known())) },
        { label: t('list.text'), onSelect: () => save('txt', 'text/plain', `${available().join('\n')}\n`) },
        'line',
        { label: t('list.copy'), icon: 'copy', onSelect: () => void copy() },
      ]}
    />
  )
}

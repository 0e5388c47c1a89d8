/** Takes the results along: as a file for spreadsheets, programs or documents, or on the clipboard. */
import { useRef } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { useShortcut } from '../../shortcuts/shortcuts.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { latestOf } from '../actions/recheck.ts'
import type { Asked } from '../asked.ts'
import type { Result } from '../result.ts'
import { WORDS } from '../results/state.ts'
import { csvOf } from './csv.ts'
import { download } from '../../ui/download.ts'
import { jsonOf } from './json.ts'
import { markdownOf } from './markdown.ts'
import { rowsOf } from './rows.ts'

export function ExportMenu({ results, asked }: { readonly results: readonly Result[]; readonly asked: Asked }) {
  const { t } = useText()
  const format = useFormat()
  const trigger = useRef<HTMLSpanElement>(null)
  useShortcut('x', () => trigger.current?.querySelector('button')?.click())

  // As everything is known at the moment of the press, second looks included.
  const latest = () => results.map((result) => ({ ...result, domains: result.domains.map(latestOf) }))
  const markdown = () =>
    markdownOf(rowsOf(latest()), {
      title: asked.d === undefined ? t('export.heading') : t('export.headingFor', { description: asked.d }),
      columns: [
        t('export.name'),
        t('export.domain'),
        t('export.state'),
        t('export.first'),
        t('export.renewal'),
        t('export.fiveYears'),
      ],
      states: {
        free: t(WORDS.free),
        taken: t(WORDS.taken),
        premium: t(WORDS.premium),
        sale: t(WORDS.sale),
        unknown: t(WORDS.unknown),
      },
      money: (minor, currency) => format.money(minor, currency),
      minimumTerm: (years) => t('search.minimumTerm', { years }),
    })
  const save = (ending: string, type: string, text: string) => {
    const name = `names-${new Date().toISOString().slice(0, 10)}.${ending}`
    download(text, { name, type: `${type};charset=utf-8` })
    showToast({ text: t('export.saved', { file: name }) })
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(markdown())
      showToast({ text: t('export.copied', { count: results.length }) })
    } catch {
      showToast({ kind: 'failed', text: t('export.copyFailed') })
    }
  }
  return (
    <span ref={trigger} className="contents">
      <Menu
        label={t('export.formats')}
        trigger={(props) => (
          <Button small icon="download" disabled={results.length === 0} {...props}>
            {t('export.open')}
          </Button>
        )}
        entries={[
          { label: t('export.csv'), onSelect: () => save('csv', 'text/csv', csvOf(rowsOf(latest()))) },
          {
            label: t('export.json'),
            onSelect: () => save('json', 'application/json', jsonOf(latest(), asked, new Date())),
          },
          { label: t('export.markdown'), onSelect: () => save('md', 'text/markdown', markdown()) },
          'line',
          { label: t('export.copyMarkdown'), icon: 'copy', onSelect: () => void copy() },
        ]}
      />
    </span>
  )
}

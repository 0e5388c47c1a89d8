import { useTlds } from '../../api/tlds.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault } from '../../ui/fault.tsx'
import { Ltr, Skeleton } from '../../ui/layout.tsx'

// More than this is found faster by typing.
const MOST = 40

export function SuffixList({
  wanted,
  chosen,
  onToggle,
}: {
  readonly wanted: string
  readonly chosen: readonly string[]
  readonly onToggle: (suffix: string, isOn: boolean) => void
}) {
  const { t } = useText()
  const { data, error, isPending, refetch } = useTlds()
  if (isPending)
    return (
      <div aria-busy="true" className="grid h-56 content-start gap-3">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} className="h-6" />
        ))}
      </div>
    )
  if (error) return <Fault error={error} onRetry={() => void refetch()} />
  const text = wanted.trim().toLowerCase().replace(/^\./, '')
  const all = data?.tlds ?? []
  const found = all.filter(({ suffix }) => suffix.includes(text)).slice(0, MOST)
  if (found.length === 0) return <p className="h-56 text-faint">{t('search.suffixNone')}</p>
  return (
    <fieldset className="h-56 overflow-y-auto rounded-md border border-line">
      <legend className="sr-only">{t('search.filterSuffixes')}</legend>
      {found.map(({ suffix, price }) => (
        <label key={suffix} className="flex min-h-10 items-center gap-3 px-3 hover:bg-sunken">
          <input
            type="checkbox"
            checked={chosen.includes(suffix)}
            onChange={({ target }) => onToggle(suffix, target.checked)}
            className="size-5 accent-accent"
          />
          <Ltr className="font-mono">{`.${suffix}`}</Ltr>
          <span className="ms-auto text-sm text-faint tabular-nums">{price}</span>
        </label>
      ))}
    </fieldset>
  )
}

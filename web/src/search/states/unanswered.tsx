/** Some registries did not answer in time: how many domains, which registries on hover, and a button that checks again. */
import { useMutation } from '@tanstack/react-query'
import type { Namewright } from '@namewright/client'
import { dotted, useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Hint } from '../../ui/hint.tsx'
import { Icon } from '../../ui/icon.tsx'
import { askedCountry, noteVerdicts } from '../actions/recheck.ts'
import { stateOf, suffixOf } from '../result.ts'
import { learn } from '../search-store.ts'
import type { Search } from '../search-store.ts'

const AT_ONCE = 200

export function Unanswered({ search, client }: { readonly search: Search; readonly client: Namewright }) {
  const { t } = useText()
  const format = useFormat()
  const open = search.results.flatMap(({ domains }) => domains.filter((entry) => stateOf(entry) === 'unknown'))
  const check = useMutation({
    mutationFn() {
      const domains = open.slice(0, AT_ONCE).map(({ domain }) => domain)
      return client.check({ domains, verify: 'full', ...askedCountry() })
    },
    onSuccess(checked) {
      noteVerdicts(checked)
      learn(search.key, checked)
      const count = checked.filter(({ status }) => status !== 'unknown').length
      announce(t('search.checkedAgain', { count, total: checked.length }))
    },
  })
  if (open.length === 0) return null
  const suffixes = [...new Set(open.map(({ domain }) => dotted(suffixOf(domain))))]
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-sm">
      <Hint
        about={(hinted) => (
          <button
            type="button"
            {...hinted}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-sale-soft px-3 text-start text-ink pointer-coarse:min-h-11"
          >
            <Icon name="warn" size={16} className="text-sale" />
            {t('search.unansweredTitle', { count: open.length })}
          </button>
        )}
      >
        {t('search.unansweredText', { suffixes: format.list(suffixes.slice(0, 8)), count: suffixes.length })}
      </Hint>
      <Button small kind="quiet" icon="refresh" busy={check.isPending} onClick={() => check.mutate()}>
        <span className="max-sm:sr-only">{t('search.checkAgain')}</span>
      </Button>
      {check.isError && (
        <p role="alert" className="text-wrong">
          {faultText(check.error)}
        </p>
      )}
    </div>
  )
}

/** Some registries did not answer in time: which ones, and a button that checks them again. */
import { useMutation } from '@tanstack/react-query'
import type { Namewright } from 'namewright'
import { dotted, useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { faultText } from '../../ui/fault.tsx'
import { Notice } from '../../ui/layout.tsx'
import { noteVerdicts } from '../actions/recheck.ts'
import { stateOf, suffixOf } from '../result.ts'
import { learn } from '../search-store.ts'
import type { Search } from '../search-store.ts'

const AT_ONCE = 200

export function Unanswered({ search, client }: { readonly search: Search; readonly client: Namewright }) {
  const { t } = useText()
  const format = useFormat()
  const open = search.results.flatMap(({ domains }) => domains.filter((entry) => stateOf(entry) === 'unknown'))
  const check = useMutation({
    mutationFn: () => client.check({ domains: open.slice(0, AT_ONCE).map(({ domain }) => domain), verify: 'full' }),
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
    <Notice
      tone="warn"
      title={t('search.unansweredTitle', { count: open.length })}
      action={
        <Button small icon="refresh" busy={check.isPending} onClick={() => check.mutate()}>
          {t('search.checkAgain')}
        </Button>
      }
    >
      <p>{t('search.unansweredText', { suffixes: format.list(suffixes.slice(0, 8)), count: suffixes.length })}</p>
      {check.isError && (
        <p role="alert" className="text-wrong">
          {faultText(check.error)}
        </p>
      )}
    </Notice>
  )
}

/** Whether the signed-in member gets emails about the domains that this account watches. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQuery, switchChangeEmails } from '../api/members.ts'
import { useText } from '../i18n/i18n.ts'
import { Fault } from '../ui/fault.tsx'
import { Switch } from '../ui/switch.tsx'

export function ChangeEmails({ account }: { readonly account: string }) {
  const { t } = useText()
  const queries = useQueryClient()
  const query = accountQuery(account)
  const { data } = useQuery(query)
  const change = useMutation({
    mutationFn: (isOn: boolean) => switchChangeEmails(account, isOn),
    onSuccess: (changed) => queries.setQueryData(query.queryKey, changed),
  })
  if (!data) return null
  return (
    <div className="mb-6 grid gap-3">
      <Switch
        label={t('favorites.emails')}
        hint={t('favorites.emailsText')}
        checked={change.isPending ? change.variables : data.change_emails}
        onChange={(isOn) => change.mutate(isOn)}
      />
      {change.error && <Fault error={change.error} />}
    </div>
  )
}

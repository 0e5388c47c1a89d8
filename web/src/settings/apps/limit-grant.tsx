/** How much an application may use. What it may do was agreed to by a person, and only they can widen it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { changeGrant, grantsQuery } from '../../api/grants.ts'
import type { Grant } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { TextArea } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'
import { isFieldFault, useFirstWrong } from '../programs/first-wrong.ts'
import { linesFault, linesOf } from '../programs/lines.ts'
import { quotaBodyOf, quotaDraftOf } from '../programs/quota-draft.ts'
import { QuotaFields } from '../programs/quota-fields.tsx'

export function LimitGrant({ of, onClose }: { readonly of: Grant; readonly onClose: () => void }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const queries = useQueryClient()
  const [quota, setQuota] = useState(quotaDraftOf(of.quota))
  const [addresses, setAddresses] = useState(of.allowed_ips.join('\n'))
  const form = useRef<HTMLFormElement>(null)
  const { queryKey } = grantsQuery(account)
  const limiting = useMutation({
    mutationFn: () => changeGrant(account, of.id, { quota: quotaBodyOf(quota), allowed_ips: linesOf(addresses) }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKey, (grants) => grants?.map((one) => (one.id === changed.id ? changed : one)))
      onClose()
      showToast({ text: t('keys.changed', { name: changed.name }) })
    },
  })
  const { error } = limiting
  useFirstWrong(form, error)
  return (
    <Dialog open onClose={onClose} title={t('apps.limitNamed', { name: of.name })} description={t('apps.limitText')}>
      <form
        ref={form}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          limiting.mutate()
        }}
      >
        {error && !isFieldFault(error) && <Fault error={error} />}
        <QuotaFields draft={quota} error={error} onChange={setQuota} />
        <TextArea
          label={t('keys.addresses')}
          hint={t('keys.addressesHint')}
          wrong={linesFault(error, '/allowed_ips', addresses)}
          value={addresses}
          dir="ltr"
          spellCheck={false}
          onChange={({ target }) => setAddresses(target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={limiting.isPending}>
            {t('keys.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

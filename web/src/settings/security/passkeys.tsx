/** The passkeys of somebody: signing in by finger, face or PIN. Adding and removing want a recent sign-in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askAuth } from '../../api/auth.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Fault, faultText } from '../../ui/fault.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice, Section, Skeleton } from '../../ui/layout.tsx'
import { showToast } from '../../ui/toast.tsx'
import { canUsePasskeys } from '../../welcome/passkey.ts'
import { AddPasskey } from './add-passkey.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import type { Passkey } from './passkeys-query.ts'

export function Passkeys() {
  const { t } = useText()
  const format = useFormat()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => askAuth('/passkey/delete-passkey', { id }),
    onSuccess: async () => {
      setRemoving(undefined)
      showToast({ text: t('security.passkeyRemoved') })
      await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      document.querySelector<HTMLElement>('#passkeys button')?.focus()
    },
  })
  const nameOf = ({ name }: Passkey) => name ?? t('security.passkeyUnnamed')
  return (
    <Section
      id="passkeys"
      title={t('security.passkeys')}
      description={t('security.passkeysText')}
      actions={
        canUsePasskeys() && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('security.addPasskey')}
          </Button>
        )
      }
    >
      {!canUsePasskeys() && <Notice>{t('security.noPasskeys')}</Notice>}
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-16" />
        </div>
      )}
      {data?.length === 0 && <p className="text-faint">{t('security.passkeysEmpty')}</p>}
      {data && data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {data.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <Icon name="key" className="text-faint" />
              <div className="me-auto">
                <bdi className="font-medium">{nameOf(passkey)}</bdi>
                {passkey.createdAt != null && (
                  <p className="text-sm text-faint">
                    {t('security.addedOn', { date: format.date(passkey.createdAt) })}
                  </p>
                )}
              </div>
              <Button
                small
                kind="danger"
                aria-label={t('security.removeNamed', { name: nameOf(passkey) })}
                onClick={() => setRemoving(passkey)}
              >
                {t('security.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
      <Confirm
        open={removing !== undefined}
        title={t('security.removePasskey')}
        description={t('security.removePasskeyText')}
        act={t('security.removePasskey')}
        busy={remove.isPending}
        wrong={remove.error ? faultText(remove.error) : undefined}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => {
          remove.reset()
          setRemoving(undefined)
        }}
      />
    </Section>
  )
}

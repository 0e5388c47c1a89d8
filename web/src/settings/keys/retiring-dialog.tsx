/**
 * The programs that still use a rotated secret, refreshed every five seconds while this is open: when it has been quiet
 * for a while, the last program has the new one.
 */
import { useQuery } from '@tanstack/react-query'
import { retiringQuery } from '../../api/keys.ts'
import type { Key, Retiring } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'
import { Rich } from '../../i18n/rich.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Ltr, Notice, Skeleton } from '../../ui/layout.tsx'
import { Table } from '../../ui/table.tsx'
import { useCurrentAccount } from '../frame/current-account.ts'

const EVERY_MS = 5_000
const QUIET_MS = 600_000

export function RetiringDialog({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, refetch } = useQuery({ ...retiringQuery(account, of.id), refetchInterval: EVERY_MS })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('keys.retiringTitle', { name: of.name })}
      description={t('keys.retiringText')}
    >
      <div className="grid grid-cols-1 gap-6" aria-busy={data === undefined && !error}>
        {error && <Fault error={error} onRetry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton className="h-32" />}
        {data?.length === 0 && <Notice tone="done">{t('keys.retiringNone')}</Notice>}
        {data?.map((secret) => (
          <OldSecret key={`${secret.prefix} ${secret.expires_at}`} of={secret} />
        ))}
      </div>
      <DialogActions>
        <Button kind="main" onClick={onClose}>
          {t('shell.close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function OldSecret({ of: { prefix, expires_at, last_used_at, uses } }: { readonly of: Retiring }) {
  const { t } = useText()
  const format = useFormat()
  const isQuiet = last_used_at === null || Date.now() - Date.parse(last_used_at) > QUIET_MS
  return (
    <section className="grid grid-cols-1 gap-3">
      <h3 className="font-semibold">
        <Rich
          id="keys.oldEnds"
          values={{ prefix, when: format.ago(expires_at) }}
          parts={[<Ltr key="0" className="font-mono" children={prefix} />]}
        />
      </h3>
      {last_used_at === null ? (
        <Notice tone="done">{t('keys.oldUnused')}</Notice>
      ) : (
        <Notice tone={isQuiet ? 'done' : 'warn'}>
          {t(isQuiet ? 'keys.oldQuiet' : 'keys.oldInUse', { when: format.ago(last_used_at) })}
        </Notice>
      )}
      {uses.length > 0 && (
        <Table
          caption={t('keys.oldUses')}
          head={[t('keys.address'), t('keys.program'), t('keys.requests'), t('keys.lastUsed')]}
          numeric={[2]}
        >
          {uses.map(({ address, user_agent, requests, last_used_at: last }) => (
            <tr key={`${address} ${user_agent}`}>
              <td className="font-mono text-sm whitespace-nowrap">
                <Ltr>{address}</Ltr>
              </td>
              <td className="min-w-48">{user_agent === '' ? t('keys.programUnknown') : <Ltr>{user_agent}</Ltr>}</td>
              <td className="text-end tabular-nums">{format.number(requests)}</td>
              <td className="whitespace-nowrap">{format.ago(last)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

/** One application of the account's own. */
import type { OwnClient } from '../../api/settings-types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Badge, Card, Ltr } from '../../ui/layout.tsx'
import { Fact, Facts } from '../programs/facts.tsx'
import { ScopeList } from '../programs/scope-list.tsx'
import { DisabledNote } from './disabled-note.tsx'

export type ClientAct = 'edit' | 'rotate' | 'delete'

export function ClientCard({ of, onAct }: { readonly of: OwnClient; readonly onAct: (kind: ClientAct) => void }) {
  const { t } = useText()
  const format = useFormat()
  const { name, kind, client_id, redirect_uris, own_scopes } = of
  return (
    <Card className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-lg font-semibold">{name}</h3>
          <Badge tone="unknown">{t(kind === 'public' ? 'apps.public' : 'apps.confidential')}</Badge>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button small aria-label={t('keys.editNamed', { name })} onClick={() => onAct('edit')}>
            {t('keys.edit')}
          </Button>
          {kind === 'confidential' && (
            <Button small aria-label={t('apps.rotateNamed', { name })} onClick={() => onAct('rotate')}>
              {t('apps.rotate')}
            </Button>
          )}
          <Button small kind="danger" aria-label={t('apps.deleteNamed', { name })} onClick={() => onAct('delete')}>
            {t('apps.delete')}
          </Button>
        </div>
      </div>
      <DisabledNote of={of} />
      <Facts wide>
        <Fact label={t('apps.clientId')}>
          <div className="flex flex-wrap items-center gap-2">
            <Ltr className="font-mono text-sm">{client_id}</Ltr>
            <CopyButton text={client_id} label={t('apps.copyId')} />
          </div>
        </Fact>
        <Fact label={t('keys.made')}>{format.date(of.created_at)}</Fact>
      </Facts>
      <Facts wide>
        {redirect_uris.length > 0 && (
          <Fact label={t('apps.redirects')}>
            <ul className="font-mono text-sm">
              {redirect_uris.map((uri) => (
                <li key={uri}>
                  <Ltr>{uri}</Ltr>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {own_scopes.length > 0 && (
          <Fact label={t('apps.ownScopes')}>
            <ScopeList scopes={own_scopes} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

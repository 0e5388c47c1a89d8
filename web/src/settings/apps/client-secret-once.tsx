/** The secret of an application, this once. */
import type { OwnClient } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { SecretOnce } from '../programs/secret-once.tsx'

export function ClientSecretOnce({
  of,
  secret,
  onDone,
}: {
  readonly of: OwnClient
  readonly secret: string
  readonly onDone: () => void
}) {
  const { t } = useText()
  return (
    <SecretOnce
      title={t('apps.secretTitle', { name: of.name })}
      description={t('apps.secretText')}
      label={t('apps.secret')}
      copy={t('apps.copySecret')}
      secret={secret}
      file={`NAMEWRIGHT_CLIENT_ID=${of.client_id}\nNAMEWRIGHT_CLIENT_SECRET=${secret}\nNAMEWRIGHT_URL=${location.origin}\n`}
      onDone={onDone}
    />
  )
}

/** The text of a key, this once, with a first call that works as it stands. */
import type { KeyWithSecret } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { CopyLine, SecretOnce } from '../programs/secret-once.tsx'
import { firstCallOf } from './first-call.ts'

export function KeyShownOnce({
  of,
  rotated,
  onDone,
}: {
  readonly of: KeyWithSecret
  readonly rotated: boolean
  readonly onDone: () => void
}) {
  const { t } = useText()
  const call = firstCallOf(of, location.origin)
  return (
    <SecretOnce
      title={rotated ? t('keys.shownRotated', { name: of.name }) : t('keys.shown', { name: of.name })}
      description={of.origins.length > 0 ? t('keys.shownPublishableText') : t('keys.shownText')}
      label={t('keys.theKey')}
      copy={t('keys.copyKey')}
      secret={of.secret}
      file={`NAMEWRIGHT_API_KEY=${of.secret}\nNAMEWRIGHT_URL=${location.origin}\n`}
      onDone={onDone}
    >
      <CopyLine label={t('keys.firstCall')} copy={t('keys.copyCall')} text={call} />
    </SecretOnce>
  )
}

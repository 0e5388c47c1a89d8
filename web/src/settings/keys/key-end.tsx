/** The expiration of a key, with a warning when it is soon. */
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 14

export type Life = 'lives' | 'ends-soon' | 'ended' | 'revoked'

export function lifeOf({ revoked_at, expires_at }: Key, now: number): Life {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'lives'
  const left = Date.parse(expires_at) - now
  return left <= 0 ? 'ended' : left < SOON_DAYS * DAY_MS ? 'ends-soon' : 'lives'
}

export function KeyEnd({ of }: { readonly of: Key }) {
  const { t } = useText()
  const format = useFormat()
  const { expires_at, revoked_at } = of
  if (revoked_at !== null) return <>{t('keys.revokedOn', { date: format.date(revoked_at) })}</>
  if (expires_at === null) return <>{t('keys.endsNever')}</>
  const life = lifeOf(of, Date.now())
  return (
    <>
      <span className={life === 'lives' ? '' : 'font-medium text-sale'}>
        {life === 'ended' ? t('keys.endedAgo', { when: format.ago(expires_at) }) : format.ago(expires_at)}
      </span>
      <span className="block text-sm text-faint">{format.dateTime(expires_at)}</span>
    </>
  )
}

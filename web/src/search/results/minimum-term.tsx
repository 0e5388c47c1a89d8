/** "2 years minimum", beside a price for more than one year: nothing shorter is sold. */
import { useText } from '../../i18n/i18n.ts'

export function MinimumTerm({
  years = 1,
  className,
}: {
  readonly years?: number | undefined
  readonly className?: string
}) {
  const { t } = useText()
  return years > 1 && <span className={className}>{t('search.minimumTerm', { years })}</span>
}

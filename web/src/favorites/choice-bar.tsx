/** While some are chosen: how many, and what can be done with them. It stays at the edge of the window. */
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'

const MOST = 50

export function ChoiceBar({
  count,
  onShare,
  onClear,
}: {
  readonly count: number
  readonly onShare: () => void
  readonly onClear: () => void
}) {
  const { t } = useText()
  return (
    <div
      role="region"
      aria-label={t('favorites.chosenRegion')}
      className="sticky bottom-4 z-20 flex flex-wrap items-center gap-3 rounded-lg border border-line bg-card p-3 ps-5 shadow-float"
    >
      <p className="me-auto font-medium">
        {count > MOST ? t('favorites.tooManyChosen', { most: MOST }) : t('favorites.chosen', { count })}
      </p>
      <Button kind="quiet" onClick={onClear}>
        {t('favorites.clearChoice')}
      </Button>
      <Button kind="main" icon="share" disabled={count > MOST} onClick={onShare}>
        {t('share.start')}
      </Button>
    </div>
  )
}

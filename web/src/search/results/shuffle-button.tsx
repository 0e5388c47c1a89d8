import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'

/** Other names for the same description. It keeps the focus while they are on their way. */
export function ShuffleButton({
  isWaiting,
  onShuffle,
}: {
  readonly isWaiting: boolean
  readonly onShuffle: () => void
}) {
  const { t } = useText()
  return (
    <Button small icon="refresh" aria-disabled={isWaiting || undefined} onClick={isWaiting ? undefined : onShuffle}>
      {t('names.shuffle')}
    </Button>
  )
}

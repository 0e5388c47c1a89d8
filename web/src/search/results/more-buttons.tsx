/**
 * Asks for further names, or for others. With further ones the focus goes to the last name that is there, since those that
 * come stand behind it; with others it stays here.
 */
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ShuffleButton } from './shuffle-button.tsx'

export function MoreButtons({
  isWaiting,
  onMore,
  onShuffle,
}: {
  readonly isWaiting: boolean
  /** Undefined where there are no more. */
  readonly onMore: (() => void) | undefined
  readonly onShuffle: () => void
}) {
  const { t } = useText()
  const more = () => {
    // Rows of the grid are not in order in the page.
    const rows = [...document.querySelectorAll<HTMLElement>('[data-result][data-index]')]
    const lastRow = rows.toSorted((a, b) => Number(a.dataset['index']) - Number(b.dataset['index'])).at(-1)
    const last =
      lastRow?.querySelector<HTMLElement>('[role=rowheader]') ??
      [...document.querySelectorAll<HTMLElement>('article[data-result]')].at(-1)
    last?.focus({ preventScroll: true })
    onMore?.()
  }
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 pt-2">
      {onMore && (
        <Button icon="plus" aria-disabled={isWaiting || undefined} onClick={isWaiting ? undefined : more}>
          {t('search.more')}
        </Button>
      )}
      <ShuffleButton isWaiting={isWaiting} onShuffle={onShuffle} />
    </div>
  )
}

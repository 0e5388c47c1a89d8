/** Asks for further names. The focus goes to the last name that is there, since those that come stand behind it. */
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'

export function MoreButton({ onMore }: { readonly onMore: () => void }) {
  const { t } = useText()
  const more = () => {
    const last = [...document.querySelectorAll<HTMLElement>('article[data-result], [data-result] [role=rowheader]')].at(
      -1,
    )
    last?.focus({ preventScroll: true })
    onMore()
  }
  return (
    <div className="flex justify-center pt-2">
      <Button icon="plus" onClick={more}>
        {t('search.more')}
      </Button>
    </div>
  )
}

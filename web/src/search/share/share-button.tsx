import { useRouter } from '@tanstack/react-router'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { Asked } from '../asked.ts'

// On a desk a link is pasted somewhere; on a phone it is handed to another app.
const isPhone = matchMedia('(pointer: coarse)')

/** Shares the link of a search. The link shows the same names. */
export function ShareButton({ asked }: { readonly asked: Asked }) {
  const { t } = useText()
  const router = useRouter()
  const share = async () => {
    // The reader's own language of the page is not part of what they found.
    const { lang: _, ...search } = asked
    const { href } = router.buildLocation({ to: '/', search })
    const url = new URL(href, location.origin).href
    try {
      if (isPhone.matches && 'share' in navigator) {
        await navigator.share({ title: t('share.searchTitle', { description: asked.d ?? '' }), url })
        return
      }
      await navigator.clipboard.writeText(url)
      showToast({ text: t('share.searchCopied') })
    } catch (error) {
      // They have thought better of it.
      if (error instanceof DOMException && error.name === 'AbortError') return
      showToast({ kind: 'failed', text: t('share.searchFailed') })
    }
  }
  return (
    <Button small icon="share" onClick={() => void share()}>
      {t('share.search')}
    </Button>
  )
}

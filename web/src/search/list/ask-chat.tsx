/** Copies a request to a chat of the reader's own: the description and the rules. Its answer is pasted as a list. */
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { changed, COUNT, textOf } from '../asked.ts'
import type { Asked } from '../asked.ts'
import { chosenOf } from '../filters/chosen.ts'

export function AskChat({ asked }: { readonly asked: Asked }) {
  const { t } = useText()
  const format = useFormat()
  const copy = async () => {
    // What concerns this page or money alone is nothing that a chat could keep to.
    const rules = changed(asked, {
      tlds: asked.tlds ?? textOf(['com']),
      past: undefined,
      price: undefined,
      currency: undefined,
      variants: undefined,
    })
    const lines = chosenOf(rules, t, format).map(({ label }) => `- ${label.replaceAll(/[\u2066-\u2069]/g, '')}`)
    const request = t('list.chatRequest', {
      count: COUNT,
      description: asked.d?.trim() ?? '',
      rules: lines.join('\n'),
    })
    try {
      await navigator.clipboard.writeText(request)
      showToast({ text: t('list.chatCopied') })
    } catch {
      showToast({ kind: 'failed', text: t('export.copyFailed') })
    }
  }
  return (
    <Button small icon="copy" onClick={() => void copy()}>
      {t('list.chat')}
    </Button>
  )
}

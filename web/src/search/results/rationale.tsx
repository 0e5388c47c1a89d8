/** Where a name comes from, in its own language and direction: a written explanation may be English on an Arabic page. */
import { useText } from '../../i18n/i18n.ts'
import { languageOf } from '../../i18n/language-of.ts'

export function Rationale({ text, className }: { readonly text: string; readonly className?: string }) {
  const { language } = useText()
  return (
    <p dir="auto" lang={languageOf(text, language)} className={className}>
      {text}
    </p>
  )
}

/**
 * The error messages in the reader's language, for readers of another language than English.
 *
 * An error links to `/docs/errors#code`. The page is English, but a caller whose errors are in Korean sees the Korean
 * message and hint of that code first.
 */
import { ERRORS } from '../../../model/errors.ts'
import type { ErrorCode } from '../../../model/errors.ts'
import type { Language, Messages } from '../../../http/wire/language.ts'
import { html } from '../../../http/pages/html.ts'
import type { Html } from '../../../http/pages/html.ts'

export function errorsInOwnWords(language: Language, { errors }: Messages): Html {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  const sections = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { message, hint } = errors[code]
    return html`<section id="${code}">
      <h3><code dir="ltr">${code}</code> <small>${ERRORS[code].status}</small></h3>
      <p>${words(message)} ${words(hint)}</p>
    </section>`
  })
  return html`<div lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
      <h2 id="own-words">${name}</h2>
      ${sections}
    </div>
    <h2 id="english">English</h2>`
}

/** Replaces placeholders that only an actual error can fill in. */
function words(text: string): string {
  return text.replace(/\{\w+\}/g, '…')
}

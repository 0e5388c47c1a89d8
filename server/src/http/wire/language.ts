/**
 * Chooses the language of a response's texts: body `language`, then Accept-Language (RFC 9110 §12.5.4), then the
 * account's setting, then English. An unsupported language falls through to the next; the response is never a 406.
 */
import type { Style } from '@namewright/names'
import type english from '../../../data/messages/en.json'
import { readData } from '../../data.ts'
import type { ErrorCode, FieldCode } from '../../model/errors.ts'
import type { Scope } from '../../model/caller.ts'
import { LANGUAGES, matchLanguage } from '../../model/language.ts'
import type { Language } from '../../model/language.ts'

export type { Language } from '../../model/language.ts'

export interface Messages {
  readonly errors: Readonly<Record<ErrorCode, { readonly message: string; readonly hint: string }>>
  readonly fields: Readonly<Record<FieldCode, string>>
  /** For `unknown_field`, where another one was probably meant. */
  readonly did_you_mean: string
  /** In place of the hint of `unavailable`, where the connection broke while something was written. */
  readonly may_be_done: string
  readonly rationale: Readonly<Record<Style | 'because' | 'image', string>>
  /** What to do if there are fewer names than requested. */
  readonly shortfall: Readonly<Record<'availability_unknown' | 'restricted', string>>
  /** The permissions of an application, as the consent page shows them. */
  readonly scopes: Readonly<Record<Scope | 'offline_access', string>>
  /** The sign-in and consent pages; English defines the keys. */
  readonly pages: Readonly<Record<keyof (typeof english)['pages'], string>>
  /** How a link to a page of the app looks where it is posted. */
  readonly previews: Readonly<Record<keyof (typeof english)['previews'], string>>
}

export type AllMessages = ReadonlyMap<Language, Messages>

export function readMessages(): AllMessages {
  return new Map(LANGUAGES.map((language) => [language, JSON.parse(readData(`messages/${language}.json`)) as Messages]))
}

export function chooseLanguage(wishes: {
  body?: unknown
  accept?: string | undefined
  account?: string | undefined
}): Language {
  const fromBody = typeof wishes.body === 'string' ? matchLanguage(wishes.body) : undefined
  if (fromBody) return fromBody
  for (const { value } of byQuality(wishes.accept ?? '')) {
    const match = value === '*' ? undefined : matchLanguage(value)
    if (match) return match
  }
  return matchLanguage(wishes.account ?? '') ?? 'en'
}

/** The items of a header such as Accept or Accept-Language, best first; refused ones (q=0) are left out. */
export function byQuality(header: string): { value: string; q: number }[] {
  return header
    .split(',')
    .slice(0, 50)
    .map((item) => {
      const [value = '', ...params] = item.split(';').map((part) => part.trim())
      const q = params.find((param) => /^q=/i.test(param))?.slice(2)
      return { value, q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ value, q }) => value !== '' && q > 0 && q <= 1)
    .toSorted((a, b) => b.q - a.q)
}

/** Fills the values into a text: `{limit}`. */
export function fillIn(text: string, params: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole))
}

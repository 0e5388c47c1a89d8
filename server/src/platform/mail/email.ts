/**
 * Composes an email from an event: the texts in the reader's language, as plain text and as HTML.
 *
 * An email goes to an address that somebody typed in, and contains names that another person may have chosen. So each
 * parameter is first reduced to one short line in which no mail program finds a link: no line breaks, which would
 * create headers, and no characters that change the reading direction. All of the HTML is escaped. The only link in an
 * email is ours.
 */
import { randomUUID } from 'node:crypto'
import { readData } from '../../data.ts'
import { LANGUAGES, matchLanguage } from '../../model/language.ts'
import type { Language } from '../../model/language.ts'

type EmailKind =
  | 'verify'
  | 'reset'
  | 'sign_in'
  | 'change'
  | 'moved'
  | 'invite'
  | 'exists'
  | 'changed'
  | 'authorized'
  | 'webhook_off'
  | 'watched_available'
  | 'watched_changed'

export interface Email {
  /** The same for two tries of one email; made up when absent. */
  readonly id?: string
  readonly kind: EmailKind
  readonly to: string
  /** A language tag; English when it is absent or not supported. */
  readonly language: string | null | undefined
  readonly url: string
  /** By kind: `name`; `inviter` and `account`; `client`; `host`; `domain`; `what`, which is one of the codes under `changes`. */
  readonly params: Readonly<Record<string, string>>
  /** Of watched domains: one line each, below the text. `url` then leads to the switch that turns these emails off. */
  readonly changes?: readonly WatchedChange[]
}

interface WatchedChange {
  readonly domain: string
  readonly kind: 'available' | 'taken' | 'price_changed'
  readonly price: string
}

/** `data/mails/<language>.json` */
type EmailTexts = Readonly<
  Record<EmailKind, { readonly subject: string; readonly text: string; readonly after: string }>
> & {
  readonly changes: Readonly<Record<string, string>>
  readonly watched: Readonly<Record<WatchedChange['kind'], string>>
}
export type MailTexts = ReadonlyMap<Language, EmailTexts>

export interface Message {
  readonly messageId: string
  readonly to: { readonly name: ''; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

// Longer names exist; this much is enough to recognize one.
const PARAM_MAX = 80
// RFC 5321 §4.5.3.1.3
const ADDRESS_MAX = 254

export function readMailTexts(): MailTexts {
  return new Map(LANGUAGES.map((language) => [language, JSON.parse(readData(`mails/${language}.json`)) as EmailTexts]))
}

/** The composer throws when the recipient is not exactly one address, or the link is not valid. */
export function createComposer(texts: MailTexts, sender: string): (email: Email) => Message {
  const domain = domainOf(sender)

  return function compose({ id, kind, to, language: wanted, url, params, changes }) {
    const language = matchLanguage(wanted ?? '') ?? 'en'
    const words = texts.get(language)
    if (!words || !isAddress(to) || !isLink(url)) throw new NotSendable()
    const { name, what = '', ...others } = params
    const values = { ...others, name: name?.trim() || to, what: words.changes[what] ?? what }
    const subject = fillIn(words[kind].subject, values)
    const text = fillIn(words[kind].text, values)
    const lines = (changes ?? []).map(({ domain: watched, kind: change, price }) =>
      fillIn(words.watched[change], { domain: watched, price }),
    )
    const after = fillIn(words[kind].after, values)
    return {
      // Created once per email: a server that receives it twice, because its first response was lost, can detect the
      // duplicate.
      messageId: `<${id ?? randomUUID()}@${domain}>`,
      // As an object it is always one address; a string would be parsed as a list.
      to: { name: '', address: to },
      subject,
      text: `${[text, ...(lines.length > 0 ? [lines.join('\n')] : []), url, after].join('\n\n')}\n`,
      html: htmlOf({ language, subject, text, lines, url, after }),
      headers: {
        // RFC 3834: prevents automatic replies such as holiday notices.
        'Auto-Submitted': 'auto-generated',
        'Content-Language': language,
        // RFC 2369: mail programs show it as their own button.
        ...(changes === undefined ? {} : { 'List-Unsubscribe': `<${url}>` }),
      },
    }
  }
}

/** Contains no text of the email: only the error's name reaches the log. */
class NotSendable extends Error {
  override readonly name = 'NotSendable'
  /** As nodemailer marks what would fail the same way again. */
  readonly permanent = true
}

function fillIn(text: string, params: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_hole, name: string) => oneLineOf(params[name] ?? ''))
}

/** A zero-width space (U+200B) after dots and before `//` keeps mail programs from turning a name into a link. */
function oneLineOf(param: string): string {
  const line = param.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  const points = Array.from(line)
  const short = points.length > PARAM_MAX ? `${points.slice(0, PARAM_MAX - 1).join('')}…` : line
  return short.replace(/\.(?=[\p{L}\p{N}])|:(?=\/\/)/gu, '$&\u200b')
}

interface MessageParts {
  readonly language: Language
  readonly subject: string
  readonly text: string
  readonly lines: readonly string[]
  readonly url: string
  readonly after: string
}

function htmlOf({ language, subject, text, lines, url, after }: MessageParts): string {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  const list = lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>\n`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head><meta charset="utf-8"><title>${escape(subject)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
<p>${escape(text)}</p>
${list}<p dir="ltr" style="overflow-wrap: anywhere"><a href="${escape(url)}">${escape(url)}</a></p>
<p>${escape(after)}</p>
</body>
</html>
`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function isAddress(text: string): boolean {
  return text.length <= ADDRESS_MAX && /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(text)
}

/** Printable ASCII only: then it is identical in the text, in the HTML and in the reader's browser. */
function isLink(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text)
}

/** `Namewright <no-reply@names.example.com>` → `names.example.com` */
function domainOf(sender: string): string {
  return /@([^\s<>@]+)>?$/.exec(sender)?.[1] ?? 'localhost'
}

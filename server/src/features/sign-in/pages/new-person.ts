/** The fields that a new person fills in after following a link, and their validation. */
import type { Context } from '../../../context.ts'
import { shownName } from '../../../model/shown-name.ts'
import { fillIn } from '../../../http/wire/language.ts'
import type { Weakness } from '../password.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

export type Faults = Partial<Record<keyof NewPerson, string>>

// Only a mail server can tell whether an address is valid. This catches what cannot be one.
const ADDRESS = /^[^\s@<>()"',;:\\]{1,64}@[^\s@<>()"',;:\\]+\.[^\s@<>()"',;:\\]+$/

export function newPersonOf(form: ReadonlyMap<string, string>): NewPerson {
  return {
    name: shownName(form.get('name') ?? ''),
    email: (form.get('email') ?? '').trim(),
    password: form.get('password') ?? '',
  }
}

/** The errors by field, in the visitor's language; undefined if there are none. */
export function faultsOf(ctx: Context, visit: PageVisit, person: NewPerson): Faults | undefined {
  const { messages } = visit
  const { name, email, password } = person
  const weakness = ctx.people.findWeakness(password, email)
  const expected = 'name@example.com'
  const faults: Faults = {
    ...(name === '' ? { name: messages.fields.required } : {}),
    ...(ADDRESS.test(email) && email.length <= 254 ? {} : { email: fillIn(messages.fields.bad_format, { expected }) }),
    ...(weakness ? { password: weaknessText(visit, weakness, password) } : {}),
  }
  return Object.keys(faults).length > 0 ? faults : undefined
}

/** The rule that a password breaks. The text contains only its length, never the password. */
export function weaknessText({ texts }: PageVisit, weakness: Weakness, { length }: string): string {
  return fillIn(texts[`password_${weakness}`], { length })
}

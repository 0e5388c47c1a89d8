/** What somebody who comes in by a link says of themselves, and what can be wrong with it. */
import type { Context } from '../../context.ts'
import { shownName } from '../../model/shown-name.ts'
import { fillIn } from '../../wire/language.ts'
import type { Visit } from './visit.ts'

export interface NewPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

export type Faults = Partial<Record<keyof NewPerson, string>>

// A mail server is the judge of an address; this only catches what cannot be one.
const ADDRESS = /^[^\s@<>()"',;:\\]{1,64}@[^\s@<>()"',;:\\]+\.[^\s@<>()"',;:\\]+$/

export function newPersonOf(form: ReadonlyMap<string, string>): NewPerson {
  return {
    name: shownName(form.get('name') ?? ''),
    email: (form.get('email') ?? '').trim(),
    password: form.get('password') ?? '',
  }
}

/** In the visitor's words, by field; undefined when all is well. */
export function faultsOf(ctx: Context, { texts, messages }: Visit, person: NewPerson): Faults | undefined {
  const { name, email, password } = person
  const expected = 'name@example.com'
  const faults: Faults = {
    ...(name === '' ? { name: messages.fields.required } : {}),
    ...(ADDRESS.test(email) && email.length <= 254 ? {} : { email: fillIn(messages.fields.bad_format, { expected }) }),
    ...(ctx.people.isWeakPassword(password, email) ? { password: texts.weak_password } : {}),
  }
  return Object.keys(faults).length > 0 ? faults : undefined
}

/** What each command sends, and how its result becomes a list. It knows nothing of Raycast. */
import type { Namewright } from 'namewright'
import { domainSections, nameSections, suggestionSections } from './rows.ts'
import type { Section } from './rows.ts'

export type Question =
  | { readonly kind: 'find'; readonly description: string; readonly count: number }
  | { readonly kind: 'check'; readonly query: string }

export const COUNTS = [5, 10, 20, 50] as const

export async function ask(
  namewright: Pick<Namewright, 'generate' | 'check' | 'checkNames'>,
  question: Question,
  signal: AbortSignal,
): Promise<Section[]> {
  if (question.kind === 'find') {
    const { description, count } = question
    // Without evidence a domain has no status, and "taken" could not be told from "unknown".
    const include = ['evidence', 'pricing', 'rationale'] as const
    return suggestionSections(await namewright.generate({ description, count, include: [...include] }, { signal }))
  }
  const query = question.query.trim()
  if (query.includes('.')) return domainSections(await namewright.check([query], { signal }))
  const names = await namewright.checkNames({ names: [query], include: ['packages', 'code'] }, { signal })
  return nameSections(names)
}

/** The values of the form, which are text, to a question; nothing if there is no description yet. */
export function findOf({ description, count }: { description: string; count: string }): Question | undefined {
  const text = description.trim()
  const known = COUNTS.find((one) => String(one) === count)
  return text === '' || known === undefined ? undefined : { kind: 'find', description: text, count: known }
}

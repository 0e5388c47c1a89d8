/** A verdict on a package or an account for agents: without the evidence, which would fill their context window. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { closed, NameVerdict } from '../../wire/schemas.ts'

const brief = Type.Pick(NameVerdict, ['namespace', 'label', 'available', 'status', 'rule', 'url'])

export const BriefVerdicts = Type.Array(Type.Object(brief.properties, closed))

export function briefVerdict({ namespace, label, available, status, rule, url }: Static<typeof brief>) {
  return { namespace, label, available, status, rule, url }
}

export function verdictText({
  namespace,
  status,
  rule,
}: Pick<Static<typeof NameVerdict>, 'namespace' | 'status' | 'rule'>) {
  return `${namespace} ${status} (${rule})`
}

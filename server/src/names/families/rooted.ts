/** The root of an aspect's word and an ending that turns it into a name: "Crumbery", "Lumetta". */
import type { Knowledge } from '../knowledge/knowledge.ts'
import { hashOf } from '../hash.ts'
import type { Draft } from './draft.ts'
import type { Halves } from './parts.ts'

const MAX_ROOT_LENGTH = 6
const MIN_STEM_LENGTH = 3
const ENDINGS_EACH = 2
const VOWEL = /[aeiouy]$/

export function* rooted(knowledge: Knowledge, halves: readonly Halves[]): Iterable<Draft> {
  const { endings } = knowledge.patterns
  for (const { lead, firsts, singles } of halves) {
    for (const root of [...new Set([...singles, ...firsts])].slice(0, 8)) {
      const start = hashOf(root) % endings.length
      const labels = Array.from({ length: endings.length }, (_, at) => endings[(start + at) % endings.length]!)
        .flatMap((ending) => attach(root, ending))
        .slice(0, ENDINGS_EACH)
      for (const { label, ending } of labels) {
        yield {
          label,
          parts: [root, ending],
          apart: false,
          family: 'rooted',
          kind: 'coined',
          style: 'affix',
          lead,
          rank: 0.5,
          written: -1,
          image: '',
        }
      }
    }
  }
}

function attach(root: string, ending: string): { label: string; ending: string }[] {
  if (root.length > MAX_ROOT_LENGTH) return []
  const vowel = /^[aeio]/.test(ending)
  const stem = vowel && VOWEL.test(root) ? root.slice(0, -1) : root
  if (stem.length < MIN_STEM_LENGTH || stem.endsWith(ending[0]!) || vowel === VOWEL.test(stem)) return []
  return [{ label: stem + ending, ending }]
}

/**
 * What a written association is, by the letter it carries in `data/names/aspects/`.
 *
 * A coined name that a second reader would not have registered is `k`: it waits until the better ones are used up.
 */
export const KINDS = {
  w: 'word',
  o: 'object',
  n: 'nature',
  p: 'place',
  r: 'role',
  i: 'idiom',
  v: 'verb',
  s: 'sound',
  m: 'myth',
  x: 'foreign',
  c: 'coined',
  k: 'second',
} as const

export type Kind = (typeof KINDS)[keyof typeof KINDS]
/** Made up by a namer, whatever a second reader thought of it. */
export function isCoined(kind: Kind): boolean {
  return kind === 'coined' || kind === 'second'
}

export const KIND_LIST: readonly Kind[] = Object.values(KINDS)

/** A description and nothing else: what tools, tests and measurements ask, with the defaults that the API fills in. */
import type { NameAsk } from '../model/name.ts'

export function plainAsk(description: string): NameAsk {
  return {
    description,
    includeWords: [],
    excludeWords: [],
    minLength: 3,
    maxLength: 15,
    hyphens: false,
    digits: false,
    like: [],
    unlike: [],
    seed: 0,
  }
}

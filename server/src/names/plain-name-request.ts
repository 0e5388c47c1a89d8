/** A description and nothing else: what tools, tests and measurements ask, with the defaults that the API fills in. */
import type { NameRequest } from '../model/name.ts'

export function plainNameRequest(description: string): NameRequest {
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

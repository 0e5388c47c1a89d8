/**
 * Who votes, as far as a page without accounts knows: a random number that this browser keeps, and a name if they give
 * one. Neither says anything about the person.
 */
import { createKeptStore, useStore } from '../store.ts'

interface Voter {
  /** 128 bits in base64url. */
  readonly id: string
  readonly name: string
}

const ID = /^[\w-]{22}$/

// Made once: as long as nothing is stored, this page is the same voter.
const ownId = randomId()

const voter = createKeptStore<Voter>({
  key: 'namewright.voter',
  storage: 'localStorage',
  parse(stored) {
    const { id, name } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<
      Record<string, unknown>
    >
    return {
      id: typeof id === 'string' && ID.test(id) ? id : ownId,
      name: typeof name === 'string' ? name : '',
    }
  },
})

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export const useVoter = (): Voter => useStore(voter)

/** Written down before the first vote, so that a reload is the same voter. */
export function keepVoter(change: { readonly name?: string } = {}): void {
  voter.change((now) => ({ ...now, ...change }))
}

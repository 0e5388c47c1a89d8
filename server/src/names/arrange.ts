/**
 * The order of an answer: which family speaks next, and when a word has been heard often enough.
 *
 * Single words please most and are almost all taken, so about one turn in four is theirs and the others go to coined
 * names. A family hands over the best of the next few it has. A name that repeats a word too early is held back and
 * gets its turn later, so the first ten are about ten different things.
 */
import type { Draft, Stream } from './families/draft.ts'

export type Family = 'single' | 'lead' | 'tail' | 'pair' | 'affix' | 'blend'

// One letter a turn; single words speak in one of four, pairs and blends rarely, because few of them please.
const LETTERS: Readonly<Record<string, Family>> = {
  s: 'single',
  l: 'lead',
  t: 'tail',
  p: 'pair',
  a: 'affix',
  b: 'blend',
}
const TURNS = Array.from('sltlstlpsltltsaltslb', (letter) => LETTERS[letter]!)
const LOOKAHEAD = 3
// How many of those in line are asked again; the line itself can grow long in a long answer.
const LOOKBACK = 8
// Names between two uses of one word.
const SPACING = 15
const MOST_TRIES = 6

/** Hands over one draft after the other, best first, until `take` wants no more or no family has any left. */
export function arrange(
  streams: ReadonlyMap<Family, Stream>,
  isAdmitted: (draft: Draft) => boolean,
  take: (draft: Draft) => boolean,
): void {
  const heard = new Map<string, number>()
  const queues = new Map([...streams].map(([family, stream]) => [family, bestOfNext(stream, isAdmitted)]))
  const turns = TURNS.map((family) => queues.get(family)).filter((queue) => queue !== undefined)
  let spoken = 0
  let silent = 0

  function isFresh({ parts }: Draft): boolean {
    const limit = Math.floor(spoken / SPACING)
    for (const part of parts) if ((heard.get(part) ?? 0) > limit) return false
    return true
  }

  // A full circle of turns in which nobody had anything fresh to say ends the variety, not the answer.
  for (let turn = 0; silent < turns.length; turn++) {
    const draft = turns[turn % turns.length]!.next(isFresh)
    silent = draft === undefined ? silent + 1 : 0
    if (draft === undefined) continue
    for (const part of draft.parts) heard.set(part, (heard.get(part) ?? 0) + 1)
    spoken++
    if (!take(draft)) return
  }
  for (let turn = 0, empty = 0; empty < turns.length; turn++) {
    const draft = turns[turn % turns.length]!.next(() => true)
    empty = draft === undefined ? empty + 1 : 0
    if (draft !== undefined && !take(draft)) return
  }
}

/** The best of the next few admitted drafts that are fresh; the others wait in line. */
function bestOfNext(stream: Stream, isAdmitted: (draft: Draft) => boolean) {
  const ahead: Draft[] = []

  function next(isFresh: (draft: Draft) => boolean): Draft | undefined {
    let best = bestFresh(ahead, isFresh)
    for (let tries = 0; tries < MOST_TRIES && (best < 0 || ahead.length < LOOKAHEAD); tries++) {
      const draft = stream()
      if (draft === undefined) break
      if (!isAdmitted(draft)) continue
      ahead.push(draft)
      if (isFresh(draft) && (best < 0 || worth(draft) > worth(ahead[best]!))) best = ahead.length - 1
    }
    return best < 0 ? undefined : ahead.splice(best, 1)[0]
  }

  return { next }
}

function bestFresh(ahead: readonly Draft[], isFresh: (draft: Draft) => boolean): number {
  let best = -1
  const most = Math.min(ahead.length, LOOKBACK)
  for (let at = 0; at < most; at++) {
    if ((best < 0 || worth(ahead[at]!) > worth(ahead[best]!)) && isFresh(ahead[at]!)) best = at
  }
  return best
}

function worth(draft: Draft): number {
  return draft.relevance + draft.sound
}

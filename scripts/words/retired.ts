/**
 * Words that the glossary has replaced, by the kind of text they may no longer stand in.
 *
 * An identifier is split at its capitals (`openDoors`: open, doors). In prose a word counts in any case, in the singular
 * and the plural. A word that also has an everyday meaning is retired only where the private meaning was used, so that
 * the check never asks a writer to avoid plain English.
 */
export type TextKind = 'identifier' | 'comment' | 'docs' | 'message'

export interface RetiredWord {
  /** Lower case; in prose it may have spaces. */
  readonly word: string
  readonly say: string
  readonly kinds: readonly TextKind[]
}

const EVERYWHERE: readonly TextKind[] = ['identifier', 'comment', 'docs', 'message']
const PROSE: readonly TextKind[] = ['comment', 'docs', 'message']
const CODE: readonly TextKind[] = ['identifier']

export const RETIRED_WORDS: readonly RetiredWord[] = [
  { word: 'door', say: 'route, route context or limit bucket', kinds: EVERYWHERE },
  { word: 'lane', say: 'queue class, concurrency pool or lookup queue', kinds: EVERYWHERE },
  { word: 'witness', say: 'RDAP client', kinds: EVERYWHERE },
  { word: 'testimony', say: 'RDAP result or evidence', kinds: EVERYWHERE },
  { word: 'teller', say: 'stream encoder', kinds: EVERYWHERE },
  { word: 'farewell', say: 'personal data or deletion', kinds: EVERYWHERE },
  { word: 'tongue', say: 'language', kinds: EVERYWHERE },
  { word: 'risen', say: 'resurrected rows', kinds: EVERYWHERE },
  { word: 'keep-up', say: 'purge expired', kinds: PROSE },
  { word: 'catch-up', say: 'replay the journal', kinds: PROSE },
  { word: 'tend-jobs', say: 'jobs', kinds: PROSE },
  { word: 'turn-switches', say: 'switches', kinds: PROSE },
  { word: 'bring-up-to-date', say: 'migrate', kinds: PROSE },
  { word: 'security log', say: 'audit log', kinds: PROSE },
  { word: 'who can know', say: 'the registry or registrar', kinds: PROSE },
  { word: 'whose word', say: 'the source', kinds: PROSE },
  { word: 'is heard', say: 'responds', kinds: PROSE },
  { word: 'was heard', say: 'responded', kinds: PROSE },
  { word: 'let in', say: 'authorize or admit', kinds: PROSE },
  { word: 'delete yourself', say: 'delete account', kinds: PROSE },
  { word: 'second step', say: 'two-factor authentication', kinds: ['docs', 'message'] },
  { word: 'dear to renew', say: 'expensive renewal', kinds: PROSE },
  { word: 'send the letter', say: 'resend email', kinds: PROSE },
  { word: 'newcomer', say: 'onboarding, new user or new member', kinds: CODE },
  { word: 'letter', say: 'email', kinds: CODE },
  { word: 'pulse', say: 'health tracker or source health', kinds: CODE },
  { word: 'told', say: 'notified, reported or sent', kinds: CODE },
  { word: 'telling', say: 'notifying', kinds: CODE },
  { word: 'hear', say: 'onUpdate or onMessage', kinds: CODE },
  { word: 'unheard', say: 'unanswered', kinds: CODE },
  { word: 'away', say: 'down or unreachable', kinds: CODE },
  { word: 'recall', say: 'credential cache or restore', kinds: CODE },
  { word: 'resting', say: 'circuit open', kinds: CODE },
  { word: 'pace', say: 'rate limit', kinds: CODE },
  { word: 'dear', say: 'expensive', kinds: CODE },
]

/**
 * Names that the model proposed and nobody was shown, for later requests about the same kind of project.
 *
 * They are stored under what was understood: by language and subject, each name with what the project does and for whom.
 * A request gets names of projects that do nothing else and are for nobody else than its own. Descriptions and reasons
 * are not stored, nor is a name with a word of its description, since it may tell about its caller. Each name is handed
 * out once. What an account was shown is noted, so that the model's next list for another account does not repeat it.
 * Off unless the operator sets for how long names are stored.
 *
 * Without Redis the pool is empty.
 */
import { hash } from 'node:crypto'
import type { NameProposal, NameRequest, ProjectSummary } from '@namewright/names'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'

export interface ProposalPool {
  readonly isOn: boolean
  /** Undefined if names for this request must not be shared. */
  kindOf(ask: NameRequest, summary: ProjectSummary): ProjectKind | undefined
  /** At most so many names that nobody was shown. They are no longer in the pool. */
  take(kind: ProjectKind, account: string, most: number): Promise<PooledNames>
  /** Notes what the account was shown, and adds what nobody saw. */
  add(kind: ProjectKind, account: string, names: PoolChange): Promise<void>
}

export interface ProjectKind {
  /** A hash of language and subject. */
  readonly subject: string
  /** What such a project does, and for whom. */
  readonly traits: readonly string[]
}

export interface PooledNames {
  readonly proposals: readonly NameProposal[]
  /** Whether another account was shown this name. */
  readonly isShownToOthers: (name: string) => boolean
}

export interface PoolChange {
  readonly shown: readonly string[]
  readonly unused: readonly NameProposal[]
}

// Enough for a dozen requests; more would be stored longer than they are useful.
const MAX_NAMES = 200
// When so many names were shown, counting starts again.
const MAX_SHOWN = 2_000
// A shorter word says nothing about who wrote it.
const IDENTIFYING = 4

// KEYS: the names, who was shown which. ARGV: how many, and the traits of the project. The first value returned is the
// number of names.
const TAKE = `
local traits = {}
for i = 2, #ARGV do traits[ARGV[i]] = true end
local taken, left = {}, {}
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  local fits = #taken < tonumber(ARGV[1])
  for _, trait in ipairs(cjson.decode(entry).traits) do fits = fits and traits[trait] == true end
  table.insert(fits and taken or left, entry)
end
if #taken > 0 then
  redis.call('LTRIM', KEYS[1], 1, 0)
  local ttl = redis.call('PTTL', KEYS[2])
  for _, entry in ipairs(left) do redis.call('RPUSH', KEYS[1], entry) end
  if #left > 0 and ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl) end
end
local answer = {#taken}
for _, entry in ipairs(taken) do table.insert(answer, entry) end
for _, text in ipairs(redis.call('HGETALL', KEYS[2])) do table.insert(answer, text) end
return answer
`

// ARGV: the time to live, the limits of names and of shown names, the account, the number of shown names, these, the
// names to add.
const ADD = `
local last = 5 + tonumber(ARGV[5])
if redis.call('HLEN', KEYS[2]) > tonumber(ARGV[3]) then redis.call('DEL', KEYS[2]) end
for i = 6, last do redis.call('HSET', KEYS[2], ARGV[i], ARGV[4]) end
for i = last + 1, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[2]), -1)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return {0}
`

export function createProposalPool(cache: Pick<Cache, 'run'>, storeMs: number): ProposalPool {
  return {
    isOn: storeMs > 0,
    kindOf(ask, { isSure, language, subject, does, forWhom }) {
      const isSteered = [ask.includeWords, ask.like, ask.unlike].some((words) => words.length > 0)
      if (storeMs === 0 || !isSure || isSteered) return undefined
      const key = hash('sha256', JSON.stringify([ask.language ?? language, subject]))
      return { subject: key, traits: [...does, ...forWhom] }
    },
    async take({ subject, traits }, account, most) {
      const [count = 0, ...texts] = await runUnlessDown(TAKE, subject, [most, ...traits])
      const names = texts.splice(0, Number(count)).map((text) => JSON.parse(String(text)) as PoolEntry)
      const owners = new Map<string, string>()
      for (let at = 0; at < texts.length; at += 2) owners.set(String(texts[at]), String(texts[at + 1]))
      const own = ownerOf(account)
      const isShownToOthers = (name: string) => (owners.get(plainLabel(name)) ?? own) !== own
      const fresh = names.filter(({ name }) => !isShownToOthers(name))
      return { proposals: fresh.map(({ name, native }) => proposalOf(name, native)), isShownToOthers }
    },
    async add({ subject, traits }, account, { shown, unused }) {
      if (shown.length === 0 && unused.length === 0) return
      const entries = unused.map(({ name, native }) => JSON.stringify({ ...proposalOf(name, native), traits }))
      const labels = shown.map((label) => plainLabel(label))
      const limits = [storeMs, MAX_NAMES, MAX_SHOWN]
      await runUnlessDown(ADD, subject, [...limits, ownerOf(account), labels.length, ...labels, ...entries])
    },
  }

  async function runUnlessDown(script: string, subject: string, args: readonly (string | number)[]) {
    // One hash tag: on a cluster both keys must be on one node.
    const keys = [`model-names:{${subject}}`, `model-names:{${subject}}:shown`]
    return cache.run(script, keys, args).catch((error: unknown) => {
      if (error instanceof CacheDown) return []
      throw error
    })
  }
}

interface PoolEntry extends NameProposal {
  readonly traits: readonly string[]
}

function proposalOf(name: string, native: string | undefined): NameProposal {
  return { name, ...(native !== undefined && { native }) }
}

/** Without reasons, which may quote the description, and without names that have a word of it. */
export function shareable(description: string, proposals: readonly NameProposal[]): NameProposal[] {
  const words = (description.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => plainLabel(word))
  const identifying = words.filter((word) => word.length >= IDENTIFYING || /[^\p{Script=Latin}\d]/u.test(word))
  return proposals
    .filter(
      (one) =>
        !identifying.some((word) => [one.name, one.native ?? ''].some((text) => plainLabel(text).includes(word))),
    )
    .map(({ name, native }) => proposalOf(name, native))
}

/** The same for every way to write a name. */
export function plainLabel(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function ownerOf(account: string): string {
  return hash('sha256', account).slice(0, 12)
}

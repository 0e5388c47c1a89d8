/**
 * Checks labels in namespaces: one verdict for each label and namespace, in the order of `all.ts`.
 *
 * Rules that need no request come first: the kill switch, names that the namespace forbids, and reserved words. Then the
 * caches, with one read for all names. The rest is asked, each namespace by at most two queries for a name. A query that
 * another caller waits for is not sent twice. What has no finding at the deadline is `unknown`, and is cached when it
 * arrives.
 *
 * An entry that is not found, a failure and a malformed response must never make a name available.
 */
import { readData } from '../../data.ts'
import { statusOf } from '../../model/namespace-verdict.ts'
import type { NamespaceGroup, NamespaceRule, NamespaceVerdict } from '../../model/namespace-verdict.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { SourceHealth } from '../availability/source-health.ts'
import type { NamespaceDeclaration, NamespaceReading } from './declaration.ts'
import { createFindingCache, expiryOf } from './finding-cache.ts'
import type { KnownFinding } from './finding-cache.ts'
import { openNamespaceHost } from './host.ts'
import type { NamespaceFinding, NamespaceHost, NamespaceTurn } from './host.ts'

export interface NamespaceCheck {
  readonly groups: readonly NamespaceGroup[]
  readonly deadlineMs: number
  /** Bypasses the caches. */
  readonly fresh: boolean
  /** Sends no query: what the caches do not have is `not_asked`. */
  readonly isCacheOnly?: boolean
  /** The key for fair queueing while it waits for budget. */
  readonly fairnessKey: string
  readonly signal: AbortSignal
  /** Called with the index of a label when it has all its verdicts. */
  readonly onVerdicts?: (index: number, verdicts: readonly NamespaceVerdict[]) => void
}

export interface Namespaces extends AsyncDisposable {
  /** For each label its verdicts, in order. Never rejects for an outside reason. */
  check(labels: readonly string[], check: NamespaceCheck): Promise<readonly (readonly NamespaceVerdict[])[]>
  /** How many namespaces these groups have. */
  countOf(groups: readonly NamespaceGroup[]): number
}

export interface NamespacesOptions {
  readonly declarations: readonly NamespaceDeclaration[]
  readonly outbound: Pick<Outbound, 'send'>
  readonly cache: Pick<Cache, 'getMany' | 'setMany' | 'run'>
  readonly nodes: number
  readonly sourceHealth: Pick<SourceHealth, 'of'>
  /** Whether the operator has switched it off. */
  readonly isOff: (namespace: string) => boolean
  readonly now: () => number
}

type RuleWithoutRequest = (typeof WITHOUT_REQUEST)[number]
type Outcome = KnownFinding | { readonly rule: Exclude<NamespaceRule, KnownFinding['rule']> }

// As for domains: long enough that a client in a loop does not repeat a failing check.
const UNKNOWN_MS = 15_000
const WITHOUT_REQUEST = ['switched_off', 'invalid_name', 'reserved_word', 'not_asked'] as const
const NOT_ASKED = { rule: 'not_asked' } as const
const NEVER_ASKED: ReadonlySet<NamespaceRule> = new Set(WITHOUT_REQUEST)
const RULE_OF = {
  limited: 'rate_limited',
  broken: 'no_answer',
  unasked: 'no_answer',
} as const satisfies Record<Exclude<NamespaceFinding, NamespaceReading>, NamespaceRule>

export function openNamespaces(options: NamespacesOptions): Namespaces {
  const { declarations, cache, sourceHealth, isOff, now } = options
  const reserved = readReserved(declarations)
  const known = createFindingCache({ cache, now })
  const closing = new AbortController()
  const hosts = new Map<string, NamespaceHost>()
  const pending = new Map<string, { readonly outcome: Promise<Outcome>; readonly turn: NamespaceTurn }>()

  function hostOf({ host, rate }: NamespaceDeclaration): NamespaceHost {
    const found = hosts.get(host)
    if (found) return found
    const health = sourceHealth.of('namespace', host, () => (opened.isCircuitOpen() ? 'does not respond' : undefined))
    const opened = openNamespaceHost({ ...options, host, rate, health, closing: closing.signal })
    hosts.set(host, opened)
    return opened
  }

  /** Undefined if it has to be asked. */
  function findRule(declaration: NamespaceDeclaration, name: string | undefined): RuleWithoutRequest | undefined {
    if (name === undefined) return 'invalid_name'
    if (reserved.get(declaration.name)?.has(name)) return 'reserved_word'
    return isOff(declaration.name) ? 'switched_off' : undefined
  }

  function ask(
    declaration: NamespaceDeclaration,
    name: string,
    { fairnessKey, giveUpAt }: { readonly fairnessKey: string; readonly giveUpAt: number },
  ): Promise<Outcome> {
    const key = keyOf(declaration, name)
    const running = pending.get(key)
    if (running) {
      running.turn.fairnessKeys.add(fairnessKey)
      running.turn.giveUpAt = Math.max(running.turn.giveUpAt, giveUpAt)
      return running.outcome
    }
    const turn = { fairnessKeys: new Set([fairnessKey]), giveUpAt }
    const outcome = askAll(declaration, name, turn).finally(() => pending.delete(key))
    pending.set(key, { outcome, turn })
    return outcome
  }

  async function askAll(declaration: NamespaceDeclaration, name: string, turn: NamespaceTurn): Promise<Outcome> {
    const host = hostOf(declaration)
    let isMalformed = false
    for (const query of declaration.queries(name)) {
      // Nobody waits for a second query any more.
      const finding = now() < turn.giveUpAt ? await host.ask(query, turn) : 'unasked'
      if (finding === 'exists') return keep({ rule: query.isSimilar ? 'similar_exists' : 'exists', at: now() })
      // A host that fails or wants fewer requests gets no second one.
      if (finding !== 'absent' && finding !== 'malformed') return { rule: RULE_OF[finding] }
      isMalformed ||= finding === 'malformed'
    }
    return isMalformed ? { rule: 'malformed_answer' } : keep({ rule: 'not_found', at: now() })

    function keep(finding: KnownFinding): KnownFinding {
      known.remember(keyOf(declaration, name), finding)
      return finding
    }
  }

  return {
    countOf: (groups) => declarations.filter(({ group }) => groups.includes(group)).length,
    async check(labels, check) {
      const { groups, deadlineMs, fresh, isCacheOnly = false, fairnessKey, signal, onVerdicts } = check
      const askedAt = now()
      const turn = { fairnessKey, giveUpAt: askedAt + deadlineMs }
      const used = declarations.filter(({ group }) => groups.includes(group))
      const names = labels.map((label) =>
        used.map((declaration) => {
          // The encoded form of other letters means something only in DNS.
          const name = label.startsWith('xn--') ? undefined : declaration.findName(label)
          return { declaration, label, name, rule: findRule(declaration, name) }
        }),
      )
      const keys = names
        .flat()
        .flatMap(({ declaration, name, rule }) => (name && !rule ? [keyOf(declaration, name)] : []))
      const found = fresh ? new Map<string, KnownFinding>() : await known.find([...new Set(keys)])
      const late = lateness(deadlineMs, signal)
      try {
        return await Promise.all(
          names.map(async (row, index) => {
            const verdicts = await Promise.all(
              row.map(async ({ declaration, label, name = label, rule }) => {
                if (rule) return verdictOf(declaration, name, { rule }, askedAt)
                const outcome =
                  found.get(keyOf(declaration, name)) ?? (isCacheOnly ? NOT_ASKED : ask(declaration, name, turn))
                return verdictOf(declaration, name, await Promise.race([outcome, late.passed]), askedAt)
              }),
            )
            onVerdicts?.(index, verdicts)
            return verdicts
          }),
        )
      } finally {
        late.close()
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
    },
  }
}

function verdictOf(
  declaration: NamespaceDeclaration,
  label: string,
  outcome: Outcome,
  askedAt: number,
): NamespaceVerdict {
  const { rule } = outcome
  const isFound = 'at' in outcome
  return {
    namespace: declaration.name,
    label,
    status: statusOf(rule),
    rule,
    sources: NEVER_ASKED.has(rule) ? [] : [declaration.name],
    checkedAt: isFound ? outcome.at : askedAt,
    expiresAt: isFound ? expiryOf(outcome) : askedAt + UNKNOWN_MS,
    url: declaration.pageOf(label),
  }
}

function keyOf({ name: namespace }: NamespaceDeclaration, name: string): string {
  return `${namespace}:${name}`
}

/** Resolves when the deadline passes or the caller has gone. */
function lateness(deadlineMs: number, signal: AbortSignal) {
  const { promise: passed, resolve } = Promise.withResolvers<Outcome>()
  const pass = () => resolve({ rule: 'no_answer' })
  const timer = setTimeout(pass, deadlineMs)
  signal.addEventListener('abort', pass)
  if (signal.aborted) pass()
  return {
    passed,
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', pass)
    },
  }
}

function readReserved(declarations: readonly NamespaceDeclaration[]): ReadonlyMap<string, ReadonlySet<string>> {
  const lists = JSON.parse(readData('reserved-names.json')) as Record<string, { names: string }>
  return new Map(
    declarations.map(({ name, reserved = [] }) => [
      name,
      new Set([...reserved, ...(lists[name]?.names.split(' ') ?? [])]),
    ]),
  )
}

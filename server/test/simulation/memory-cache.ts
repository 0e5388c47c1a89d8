/**
 * Redis in memory, every command a step of the schedule. Scripts are run as they are (`lua.ts`).
 *
 * It can be down, forget everything, or leave a caller without an answer: then the command was applied, was not, or is
 * applied later, when the caller has long gone another way.
 */
import { CacheDown } from '../../src/platform/cache/cache.ts'
import type { Cache } from '../../src/platform/cache/cache.ts'
import type { Dice } from './dice.ts'
import { compileLua, itemsOf, listOf, textOf } from './lua.ts'
import type { LuaFunction, LuaScript, LuaValue } from './lua.ts'
import type { Schedule, SimulatedNode } from './schedule.ts'

interface Entry {
  readonly value: string | Map<string, string>
  readonly expiresAt: number
}

/** One in so many answers is lost, when any are. */
const LOST_ONE_IN = 25

export type MemoryRedis = ReturnType<typeof createMemoryRedis>

/** A text is read once, however many runs there are. */
const scripts = new Map<string, { readonly name: string; readonly run: LuaScript }>()

function scriptOf(lua: string) {
  let script = scripts.get(lua)
  if (!script) scripts.set(lua, (script = { name: nameOf(lua), run: compileLua(lua) }))
  return script
}

/** The server: what all nodes share. Nothing here waits. */
export function createMemoryRedis(now: () => number) {
  const entries = new Map<string, Entry>()

  function find(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry && entry.expiresAt <= now()) entries.delete(key)
    return entries.get(key)
  }

  function findText(key: string): string | undefined {
    const value = find(key)?.value
    if (typeof value === 'object') throw new Error('WRONGTYPE')
    return value
  }

  function findHash(key: string): Map<string, string> | undefined {
    const value = find(key)?.value
    if (typeof value === 'string') throw new Error('WRONGTYPE')
    return value
  }

  function makeHash(key: string): Map<string, string> {
    const found = findHash(key)
    if (found) return found
    const made = new Map<string, string>()
    entries.set(key, { value: made, expiresAt: Infinity })
    return made
  }

  function set(key: string, value: string, options: readonly string[]): string | undefined {
    const before = findText(key)
    const upper = options.map((one) => one.toUpperCase())
    const at = upper.indexOf('PX')
    const expiresAt = at < 0 ? Infinity : now() + Number(options[at + 1])
    if (!(upper.includes('NX') && before !== undefined)) entries.set(key, { value, expiresAt })
    return upper.includes('GET') ? before : 'OK'
  }

  /** False is what a script sees of nothing. */
  function call(command: string, [key = '', ...rest]: readonly string[]): LuaValue {
    switch (command.toUpperCase()) {
      case 'TIME':
        return listOf([String(Math.floor(now() / 1000)), String((now() % 1000) * 1000)])
      case 'GET':
        return findText(key) ?? false
      case 'SET':
        return set(key, rest[0] ?? '', rest.slice(1)) ?? false
      case 'DEL':
        return [key, ...rest].filter((one) => find(one) && entries.delete(one)).length
      case 'HGET':
        return findHash(key)?.get(rest[0] ?? '') ?? false
      case 'HMGET':
        return listOf(rest.map((field) => findHash(key)?.get(field) ?? false))
      case 'HSET': {
        const hash = makeHash(key)
        const before = hash.size
        for (let i = 0; i < rest.length; i += 2) hash.set(rest[i] ?? '', rest[i + 1] ?? '')
        return hash.size - before
      }
      case 'HDEL': {
        const hash = findHash(key)
        const gone = rest.filter((field) => hash?.delete(field)).length
        if (hash?.size === 0) entries.delete(key)
        return gone
      }
      case 'HINCRBY': {
        const hash = makeHash(key)
        const sum = Number(hash.get(rest[0] ?? '') ?? 0) + Number(rest[1])
        hash.set(rest[0] ?? '', String(sum))
        return sum
      }
      case 'PEXPIRE': {
        const entry = find(key)
        if (!entry) return 0
        if (Number(rest[0]) <= 0) entries.delete(key)
        else entries.set(key, { ...entry, expiresAt: now() + Number(rest[0]) })
        return 1
      }
      case 'PTTL': {
        const entry = find(key)
        return entry ? (entry.expiresAt === Infinity ? -1 : entry.expiresAt - now()) : -2
      }
      case 'EXISTS':
        return [key, ...rest].filter((one) => find(one)).length
      default:
        throw new Error(`the simulated Redis does not know ${command}: write it in memory-cache.ts`)
    }
  }

  const redis: LuaFunction = (command, ...args) => [call(textOf(command), args.map(textOf))]

  return {
    call,
    flush: () => entries.clear(),
    /** For assertions, past every step. */
    hash: (key: string): ReadonlyMap<string, string> | undefined => findHash(key),

    run(lua: string, keys: readonly string[], args: readonly (string | number)[]): (string | number)[] {
      const globals = new Map<string, LuaValue>([
        ['KEYS', listOf(keys)],
        ['ARGV', listOf(args.map(String))],
        ['redis', new Map<LuaValue, LuaValue>([['call', redis]])],
      ])
      const [answer] = scriptOf(lua).run(globals)
      return answer instanceof Map ? itemsOf(answer).map(wireOf) : []
    },
  }
}

function wireOf(value: LuaValue): string | number {
  if (typeof value === 'number') return Math.trunc(value)
  if (value === true) return 1
  return typeof value === 'string' ? value : ''
}

export interface RedisFaults {
  isDown: boolean
  /** Whether single answers are lost, too. */
  losesAnswers: boolean
}

/** What one node has of it. */
export function openMemoryCache(options: {
  schedule: Schedule
  dice: Dice
  redis: MemoryRedis
  faults: RedisFaults
  node: SimulatedNode
}): Cache {
  const { schedule, dice, redis, faults, node } = options

  function ask<T>(label: string, apply: () => T): Promise<T> {
    const down = () => ({ error: new CacheDown('Redis did not respond') })
    return schedule.ask({
      label: `redis ${label}`,
      node,
      act() {
        if (faults.isDown) return down()
        if (!faults.losesAnswers || !dice.oneIn(LOST_ONE_IN)) return tried(apply)
        const fate = dice.pick(['lost', 'applied', 'late'])
        schedule.note(`      its answer is lost (${fate})`)
        if (fate === 'applied') apply()
        if (fate === 'late') {
          const run = () => (faults.isDown || tried(apply), true)
          schedule.add({ label: `redis ${label}, late`, node: undefined, run })
        }
        return down()
      },
    })
  }

  return {
    getMany: (keys) =>
      ask('GET', () => keys.map((key) => textOr(redis.call('GET', [key])))).catch(() => keys.map(() => null)),
    setMany: (entries) =>
      ask('SET', () => {
        for (const { key, value, ttlMs } of entries) redis.call('SET', [key, value, 'PX', String(ttlMs)])
      }).catch(() => {}),
    claim: (key, value, ttlMs) =>
      ask(`claim ${value.slice(0, 4)}`, () =>
        textOr(redis.call('SET', [key, value, 'PX', String(ttlMs), 'NX', 'GET'])),
      ),
    release: (key, value) =>
      ask(`release ${value.slice(0, 4)}`, () => {
        if (redis.call('GET', [key]) === value) redis.call('DEL', [key])
      }).catch(() => {}),
    run: (lua, keys, args) =>
      ask(`${scriptOf(lua).name} [${args.join(' ').slice(0, 60)}]`, () => redis.run(lua, keys, args)),
    isUp: () => !faults.isDown,
    close: async () => {},
  }
}

/** A mistake in a script must not pass as an outage. */
function tried<T>(apply: () => T): { value: T } | { error: unknown } {
  try {
    return { value: apply() }
  } catch (error) {
    return { error }
  }
}

function textOr(value: LuaValue): string | null {
  return typeof value === 'string' ? value : null
}

/** For the trace: the commands of a script. */
function nameOf(lua: string): string {
  return [...new Set(lua.matchAll(/redis\.call\('(\w+)'/g).map(([, command]) => command))].join('+')
}

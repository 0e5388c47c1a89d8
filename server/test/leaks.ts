/**
 * No credential may be found where it does not belong: not in a log, not in a dump of the database, not in
 * Redis. What callers write and who they are belongs into the database and must not be in a log. A world for people records every secret that passes between its visitors and the service, and searches for all of
 * them when it ends; so the whole suite is also this test.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'

export interface Leaks {
  /** Of a request or an answer: whatever in it is a secret. */
  record(text: string): void
  add(secret: string): void
  /** No secret, and yet of no log: a description, an address. */
  addPrivate(text: string): void
  /** Answers where which kind of secret was found; nothing when all is well. */
  find(places: { outputs: readonly string[]; databaseUrl: string; redisUrl: string }): Promise<string[]>
}

const run = promisify(execFile)
const TEXTS = [
  // Our own credentials.
  /\bnw[arc]?_[0-9A-Za-z]{36}\b/g,
  /\bwhsec_[0-9A-Za-z+/]{43}=/g,
  // Links in emails and addresses; codes in redirects.
  /[?&](?:token|code)=([\w.~-]{16,})/g,
  // What is typed in and what is shown once.
  /"(?:password|newPassword|currentPassword)":"([^"]{12,})"/g,
  /(?:^|&)password=([^&]{12,})/g,
  /secret=([A-Z2-7]{16,})/g,
]
const PRIVATE = [
  /"description":"([^"\\]{12,})"/g,
  /"(?:email|newEmail)":"([^"@\\]+@[^"\\]+)"/g,
  /(?:^|&)email=([^&]+@[^&]+)/g,
]
// Too short to be distinguished from other text, or made by a test for something else.
const LEAST = 12

export function createLeaks(): Leaks {
  const secrets = new Set<string>()
  const texts = new Set<string>()
  const addPrivate = (text: string) => {
    if (text.length >= LEAST) texts.add(text)
  }
  const add = (secret: string) => {
    if (secret.length >= LEAST) secrets.add(secret)
  }
  return {
    add,
    addPrivate,
    record(text) {
      for (const pattern of PRIVATE) for (const match of text.matchAll(pattern)) addPrivate(match[1] ?? '')
      for (const pattern of TEXTS) for (const match of text.matchAll(pattern)) add(match[1] ?? match[0])
      const codes = /"backupCodes":\[([^\]]+)\]/.exec(text)?.[1]
      for (const code of codes?.matchAll(/"([^"]+)"/g) ?? []) if (code[1]) secrets.add(code[1])
    },
    async find({ outputs, databaseUrl, redisUrl }) {
      const dump = await run('pg_dump', ['--inserts', databaseUrl], { maxBuffer: 1 << 30 })
      const places = [
        // The link that makes the first person is the one that must be in the log; it is void once somebody is there.
        ['a log', outputs.join('\n').replaceAll(/\/setup\?token=[\w-]+/g, '')],
        ['the database', dump.stdout],
        ['Redis', await redisText(redisUrl)],
      ] as const
      const written = [...texts].filter((text) => outputs.some((output) => output.includes(text)))
      return [
        ...written.map((text) => `what somebody wrote is in a log: ${text}`),
        ...places.flatMap(([place, text]) =>
          [...secrets]
            .filter((secret) => text.includes(secret))
            .map((secret) => `${secret.slice(0, 6)}… is in ${place}`),
        ),
      ]
    },
  }
}

/** Whatever kind of value it is; what has expired meanwhile is nothing. */
async function textOf(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? ''
    case 'hash':
      return JSON.stringify(await redis.hgetall(key))
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1))
    case 'set':
      return JSON.stringify(await redis.smembers(key))
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'))
    case 'none':
      return ''
    default:
      throw new Error(`${key} is of a kind that is not looked into`)
  }
}

/** Every key and value, as far as they are text. */
async function redisText(url: string): Promise<string> {
  const redis = new Redis(url, { enableAutoPipelining: true })
  try {
    const parts: string[] = []
    for await (const keys of redis.scanStream({ count: 1000 }) as AsyncIterable<string[]>) {
      parts.push(...keys, ...(await Promise.all(keys.map((key) => textOf(redis, key)))))
    }
    return parts.join('\n')
  } finally {
    redis.disconnect()
  }
}

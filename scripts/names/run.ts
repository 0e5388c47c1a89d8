/**
 * `pnpm exec node scripts/names/run.ts`: JSON lines {id, description, count, language?} in, {id, names} out, from the same engine, without a
 * server. A line that is no such object is named on standard error, and the others are answered.
 */
import { createInterface } from 'node:readline'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { openNames } from '../../server/src/names/names.ts'

interface Wish {
  readonly id: unknown
  readonly description: string
  readonly count: number
  readonly language?: string
}

const names = await openNames()
let at = 0
for await (const line of createInterface({ input: process.stdin })) {
  at++
  if (line.trim() === '') continue
  const wish = readWish(line)
  if (wish === undefined) {
    console.error(`line ${at}: write {"id": 1, "description": "tea shop in Lisbon", "count": 10}`)
    process.exitCode = 1
    continue
  }
  const { id, description, count, language } = wish
  const ask = { ...plainNameRequest(description), ...(language === undefined ? {} : { language }) }
  const candidates = await names.propose(ask, count, new AbortController().signal)
  console.log(JSON.stringify({ id, names: candidates.map(({ name }) => name) }))
}

function readWish(line: string): Wish | undefined {
  try {
    const wish = JSON.parse(line) as Wish
    return typeof wish.description === 'string' && Number.isInteger(wish.count) ? wish : undefined
  } catch {
    return undefined
  }
}

/** `pnpm run names`: JSON lines {id, description, count, language?} in, {id, names} out, from the same engine, without a server. */
import { createInterface } from 'node:readline'
import { plainAsk } from '../../server/src/names/plain-ask.ts'
import { openNames } from '../../server/src/names/names.ts'

const names = await openNames()
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const { id, description, count, language } = JSON.parse(line) as {
    id: unknown
    description: string
    count: number
    language?: string
  }
  const candidates = await names.propose(
    { ...plainAsk(description), ...(language === undefined ? {} : { language }) },
    count,
    new AbortController().signal,
  )
  console.log(JSON.stringify({ id, names: candidates.map(({ name }) => name) }))
}

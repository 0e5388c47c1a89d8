/** The compiled knowledge is a function of its sources, and every fresh process says the same with it. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { writePacked } from '../../server/src/names/knowledge/packed.ts'
import { COMPILED } from '../../server/src/names/names.ts'
import { compile } from '../names/compile.ts'

const run = promisify(execFile)
const ASKS = [
  'a small coffee roaster in Oslo',
  'Buchhaltung für Handwerker',
  '宠物狗散步服务',
  'understand why users leave',
]

it('the same sources compile to the same bytes', () => {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(sha(writePacked(compile()))).toBe(sha(readFileSync(COMPILED)))
}, 600_000)

it('two fresh processes give the same names', async () => {
  const lines = ASKS.map((description, id) => JSON.stringify({ id, description, count: 60 })).join('\n')
  const answer = async () => {
    const asked = run(process.execPath, [new URL('../names/run.ts', import.meta.url).pathname])
    asked.child.stdin!.end(lines)
    return (await asked).stdout
  }
  const [one, other] = await Promise.all([answer(), answer()])
  expect(one).toBe(other)
  const rows = one
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; names: string[] })
  expect(rows.map(({ id, names }) => [id, new Set(names).size])).toEqual(ASKS.map((_, id) => [id, 60]))
})

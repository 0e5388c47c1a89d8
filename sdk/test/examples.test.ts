/** Every example in the doc comments and the README is type-checked and run against a real service. */
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { createNamewright } from '../src/namewright.ts'
import { installBuilt, SDK } from './packed.ts'
import type { Installed } from './packed.ts'

const GENERATED = 'api-types.ts'

const blocksOf = (text: string) => [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
const commentsOf = (text: string) =>
  [...text.matchAll(/^\/\*\*$.*?^ \*\/$/gms)].map(([comment]) => comment.replaceAll(/^ \*\/?(?: |$)/gm, ''))

const sources = readdirSync(`${SDK}src`).filter((name) => name.endsWith('.ts') && name !== GENERATED)
const examples = [
  ...blocksOf(readFileSync(`${SDK}README.md`, 'utf8')).map((code, n) => ({ name: `README-${n + 1}`, code })),
  ...sources.flatMap((file) =>
    commentsOf(readFileSync(`${SDK}src/${file}`, 'utf8'))
      .flatMap(blocksOf)
      .map((code, n) => ({ name: `${file.replace('.ts', '')}-${n + 1}`, code })),
  ),
]

/** The exports of `index.ts`, with their files. */
const exported = [...readFileSync(`${SDK}src/index.ts`, 'utf8').matchAll(/\{([^}]*)\} from '\.\/([^']*)'/g)].flatMap(
  ([, names = '', file = '']) => names.split(',').flatMap((name) => (name.trim() ? [{ name: name.trim(), file }] : [])),
)

test('every export has an example', () => {
  expect(exported.length).toBeGreaterThan(30)
  const without = exported.filter(({ name, file }) => {
    if (file === GENERATED) return false
    const text = readFileSync(`${SDK}src/${file}`, 'utf8')
    const [before = ''] = text.split(
      new RegExp(`^export (?:async )?(?:function|class|interface|type|const) ${name}\\b`, 'm'),
    )
    return before === text || !before.slice(before.lastIndexOf('/**')).includes('@example')
  })
  expect(without).toEqual([])
})

test('the table of the README lists exactly the functions of the client', () => {
  const [section = ''] = (readFileSync(`${SDK}README.md`, 'utf8').split('\n## All functions\n')[1] ?? '').split('\n## ')
  const cells = [...section.matchAll(/^\| (`[^|]+`) +\|/gm)].map(([, cell = '']) => cell.replaceAll(/[` ]/g, ''))
  const listed = cells.flatMap((cell) => {
    const [first = '', ...names] = cell.split(',')
    const [group, member] = first.split('.')
    return member === undefined ? [first, ...names] : [member, ...names].map((name) => `${group}.${name}`)
  })
  const client = createNamewright({ baseUrl: 'http://127.0.0.1:1', apiKey: 'nw_your-key' })
  const functions = Object.entries(client).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'function' ? [name] : Object.keys(member as object).map((inner) => `${name}.${inner}`),
  )
  const alone = ['verifyWebhook', 'verifySignature', 'minorDigits', 'minorToDecimal']
  expect(listed.toSorted()).toEqual([...functions, ...alone].toSorted())
})

describe('every example', () => {
  let installed: Installed
  let world: World
  let node: Node
  beforeAll(async () => {
    installed = installBuilt()
    world = await startApp({ own: true })
    node = await world.startNode()
    await world.startWorker()
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    installed[Symbol.dispose]()
  })

  test('type-checks', () => {
    for (const { name, code } of examples) writeFileSync(`${installed.folder}/${name}.ts`, `${code}\nexport {}\n`)
    const files = examples.map(({ name }) => `${name}.ts`)
    expect(typeCheck(installed.folder, files)).toBe('')
  })

  test.for(examples)('$name runs', { timeout: 60_000 }, async ({ name, code }) => {
    const { secret } = await world.makeKey(await world.makeAccount())
    const file = `${installed.folder}/${name}-run.ts`
    writeFileSync(file, code.replaceAll('http://127.0.0.1:8080', node.url).replaceAll('nw_your-key', secret))
    const env = { PATH: '', HOME: installed.folder }
    await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', file], { env })
  })
})

/** The output of the compiler; empty when there are no errors. */
function typeCheck(folder: string, files: readonly string[]): string {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [`${SDK}../node_modules/@types`],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files }))
  try {
    return execFileSync(`${SDK}../node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return (error as { stdout: string }).stdout || String(error)
  }
}

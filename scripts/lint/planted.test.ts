/** Each rule of `oxlint.config.ts` finds its planted violation, and nothing in the clean files. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'namewright-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

const imports = (specifier: string) => `import { a } from '${specifier}'\nexport const b = a\n`

const IMPORTS = 'eslint(no-restricted-imports)'
const PLANTED: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['server/src/engines/names/row.ts', imports('../../features/generate/run.ts'), IMPORTS],
  ['server/src/engines/names/type.ts', "import type { A } from '../../http/route.ts'\nexport type B = A\n", IMPORTS],
  ['server/src/engines/names/deep/row.ts', imports('../../../context.ts'), IMPORTS],
  ['server/src/platform/db/upward.ts', imports('../../engines/prices/prices.ts'), IMPORTS],
  ['server/src/features/history/neighbour.ts', imports('../keys/resolve-credential.ts'), IMPORTS],
  ['server/test/inside.test.ts', imports('../src/data.ts'), IMPORTS],
  ['server/test/api/inside.test.ts', imports('../source.ts'), IMPORTS],
  ['server/src/features/planted/upward.ts', imports('../../main.ts'), IMPORTS],
  ['server/src/features/planted/inside.ts', imports('../favorites/rows.ts'), IMPORTS],
  ['server/src/features/planted/routes.ts', 'export const a = `SELECT 1 `\n', 'namewright(no-sql)'],
  ['server/src/features/planted/settings-routes.ts', 'export const a = `SELECT 1 `\n', 'namewright(no-sql)'],
  [
    'server/src/features/planted/one-route.ts',
    'declare const app: { db: { as(): void } }\nexport const a = () => app.db.as()\n',
    'namewright(no-effects)',
  ],
  [
    'server/src/features/planted/own-routes.ts',
    'declare const mail: { send(): void }\nexport const a = () => mail.send()\n',
    'namewright(no-effects)',
  ],
  ['server/src/cli/inside.ts', imports('../features/favorites/rows.ts'), IMPORTS],
  ['server/src/engines/availability/feature.ts', imports('../../features/favorites/index.ts'), IMPORTS],
  ['server/src/model/planted.ts', imports('../platform/log.ts'), IMPORTS],
  ['server/src/http/home.ts', imports('pg'), IMPORTS],
  ['server/src/engines/names/network.ts', imports('node:net'), IMPORTS],
  ['server/src/engines/names/workspace.ts', imports('@namewright/sdk'), IMPORTS],
  ['server/src/engines/names/inside.ts', imports('@namewright/names/src/text.ts'), IMPORTS],
  ['server/src/engines/names/index.ts', imports('@namewright/zone-index'), IMPORTS],
  [
    'server/src/engines/names/fetched.ts',
    "export const a = await fetch('http://localhost')\n",
    'eslint(no-restricted-globals)',
  ],
  ['server/src/engines/names/environment.ts', "export const a = process.env['A']\n", 'node(no-process-env)'],
  ['server/src/http/statement.ts', 'export const a = `\n  SELECT id FROM accounts`\n', 'namewright(no-sql)'],
  ['server/src/http/deep/statement.ts', 'export const a = `SELECT 1 `\n', 'namewright(no-sql)'],
  ['server/src/engines/names/cast.ts', 'export const a = 1 as unknown as string\n', 'namewright(no-double-cast)'],
  ['server/src/engines/names/anything.ts', 'export const a: any = 1\n', 'typescript(no-explicit-any)'],
  [
    'server/src/engines/names/silenced.ts',
    "// @ts-ignore -- no\nexport const a: number = ''\n",
    'typescript(ban-ts-comment)',
  ],
  ['server/src/engines/names/camelCase.ts', 'export const a = 1\n', 'unicorn(filename-case)'],
  ['server/src/engines/names/barrel.ts', "export * from './clean.ts'\n", 'oxc(no-barrel-file)'],
  [
    'server/src/engines/names/cycle.ts',
    "import { b } from './cycle-back.ts'\nexport const a = b\n",
    'import(no-cycle)',
  ],
  [
    'server/src/engines/names/cycle-back.ts',
    "import { a } from './cycle.ts'\nexport const b = () => a\n",
    'import(no-cycle)',
  ],
  ['web/src/ui/planted.ts', imports('../search/page.ts'), IMPORTS],
  ['web/src/search/outside.ts', imports('../../../server/src/model/errors.ts'), IMPORTS],
  ['web/src/search/fetched.ts', "export const a = await fetch('/')\n", 'eslint(no-restricted-globals)'],
]

const CLEAN: readonly (readonly [path: string, text: string])[] = [
  ['server/src/features/planted/frame.ts', imports('../../http/route.ts')],
  ['server/src/features/planted/schemas.ts', imports('typebox')],
  ['server/src/features/planted/other.ts', imports('../favorites/index.ts')],
  ['server/src/features/planted/engine.ts', imports('../../engines/availability/availability.ts')],
  [
    'server/src/features/planted/other-routes.ts',
    'declare const app: { db: { as(): void } }\nexport const a = () => app.db.as()\n',
  ],
  ['server/src/features/planted/rows.ts', 'export const a = `SELECT 1 `\n'],
  ['server/src/main.ts', imports('./features/favorites/index.ts')],
  ['server/src/engines/names/clean.ts', imports('../../platform/log.ts')],
  ['server/src/engines/names/http.ts', 'export const a = 1\n'],
  ['server/src/engines/names/inner.ts', imports('./http.ts')],
  ['server/src/engines/names/naming.ts', imports('@namewright/names')],
  ['server/src/engines/names/lists.ts', imports('@namewright/names/node')],
  ['server/src/cli/building.ts', imports('@namewright/zone-index/build')],
  ['server/src/engines/names/neighbour.ts', imports('../availability/combine.ts')],
  ['server/src/engines/names/address.ts', "import { isIP } from 'node:net'\nexport const b = isIP('')\n"],
  ['server/src/platform/db/statement.ts', 'export const a = `SELECT 1`\n'],
  ['server/src/platform/db/home.ts', imports('pg')],
  ['server/test/source.ts', "export { a } from '../src/data.ts'\n"],
  ['web/src/api/fetched.ts', "export const a = await fetch('/')\n"],
  ['web/src/search/clean.ts', imports('../ui/button.tsx')],
]

interface Diagnostic {
  readonly code: string
  readonly filename: string
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('each rule finds what was planted, and nothing else', () => {
  for (const path of ['oxlint.config.ts', 'scripts/lint'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  // The configuration reads which units there are.
  for (const source of ['server/src', 'web/src'])
    for (const { name, parentPath } of readdirSync(join(ROOT, source), { recursive: true, withFileTypes: true }))
      if (/\.tsx?$/.test(name)) write(join(parentPath.slice(ROOT.length), name), 'export const a = 1\n')
  for (const [path, text] of [...PLANTED, ...CLEAN]) write(path, text)

  const { stdout } = spawnSync('node_modules/.bin/oxlint', ['-f', 'json'], { cwd: folder, encoding: 'utf8' })

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of oxlint's report
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] }
  const found = diagnostics.map(({ code, filename }) => `${filename} ${code}`)
  expect(found.toSorted()).toEqual(PLANTED.map(([path, , rule]) => `${path} ${rule}`).toSorted())
})

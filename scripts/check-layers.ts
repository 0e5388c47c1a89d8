/**
 * The rows and the habits of `server/src`, the rows of `web/src`, and no import cycle anywhere, enforced: `node scripts/check-layers.ts`.
 *
 * A pure function from files to violations, so that its test can plant each one. The rules stand in `layers/`:
 * `rows.ts` who may import whom, `web.ts` the same for the app, `cycles.ts`, `reach.ts` what has only one home, `shape.ts` names, casts and sizes.
 * Tests beside the sources are left out: they may reach for anything.
 */
import { readFileSync } from 'node:fs'
import { checkCycles } from './layers/cycles.ts'
import { readModule } from './layers/module.ts'
import { checkReach } from './layers/reach.ts'
import { checkRows, SOURCE } from './layers/rows.ts'
import { checkShape, checkSizes } from './layers/shape.ts'
import { checkTypeNames } from './layers/type-names.ts'
import { checkWeb, WEB_SOURCE } from './layers/web.ts'
import { listFiles } from './repo-files.ts'
import { reportViolations, type Violation } from './violation.ts'

/** Keys are paths from the repository root; whatever is not a source file of the server or the app is passed over. */
export function checkLayers(files: ReadonlyMap<string, string>): Violation[] {
  const modules = [...files]
    .filter(([path]) => isSource(path))
    .map(([path, text]) => readModule(path.slice(SOURCE.length + 1), text))
  return [
    ...modules.flatMap((module) => [...checkRows(module), ...checkReach(module), ...checkShape(module)]),
    ...checkCycles(modules),
    ...checkSizes(modules),
    ...checkTypeNames(modules),
    ...checkCycles(
      [...files].filter(([path]) => isOtherSource(path)).map(([path, text]) => readModule(path, text)),
      '',
    ),
    ...checkWeb(new Map([...files].filter(([path]) => isAppSource(path)))),
  ]
}

function isSource(path: string): boolean {
  return path.startsWith(`${SOURCE}/`) && path.endsWith('.ts') && !path.endsWith('.test.ts')
}

function isAppSource(path: string): boolean {
  return path.startsWith(`${WEB_SOURCE}/`) && /\.tsx?$/.test(path) && !path.endsWith('.test.ts')
}

/** Code of ours outside the server: no rows, but no import cycles either. */
function isOtherSource(path: string): boolean {
  return /^(?:scripts|sdk\/src|web\/src|bench)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path)
}

if (import.meta.main) {
  const root = `${import.meta.dirname}/..`
  const others = ['scripts', 'sdk/src', WEB_SOURCE, 'bench'].flatMap((folder) => listFiles(root, folder))
  const paths = [...listFiles(root, SOURCE).filter(isSource), ...others.filter(isOtherSource)]
  const files = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
  process.exitCode = reportViolations(checkLayers(files), console.log)
  if (process.exitCode === 0) console.log(`${files.size} files, 0 layer violations, 0 import cycles`)
}

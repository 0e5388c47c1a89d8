/** Type-checks examples against the types of the package, with strict compiler options. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The output of the compiler; empty when there are no errors. */
export function typeCheck(folder: string, files: readonly string[]): string {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [`${ROOT}/node_modules/@types`],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files }))
  try {
    return execFileSync(`${ROOT}/node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return (error as { stdout: string }).stdout || String(error)
  }
}

/**
 * `pnpm build`, the part of the SDK: `sdk/src` → `sdk/dist`, JavaScript and declarations, and the element in one file.
 *
 * TypeScript rewrites the endings of imports in JavaScript only; in declarations we do it, so that every resolver that
 * understands one understands the other.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildElement, EMBEDDED } from './element.ts'

const ROOT = `${import.meta.dirname}/../..`

export function buildSdk(outDir: string): number {
  rmSync(outDir, { recursive: true, force: true })
  execFileSync(`${ROOT}/node_modules/.bin/tsc`, ['-p', `${ROOT}/sdk`, '--noEmit', 'false', '--outDir', outDir], {
    stdio: 'inherit',
  })
  const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => one.endsWith('.d.ts'))) {
    const text = readFileSync(`${outDir}/${file}`, 'utf8')
    writeFileSync(`${outDir}/${file}`, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
  return files.length
}

if (import.meta.main) {
  console.log(`sdk/dist: ${buildSdk(`${ROOT}/sdk/dist`)} files`)
  await buildElement()
  copyFileSync(EMBEDDED, `${ROOT}/sdk/dist/namewright-search.js`)
}

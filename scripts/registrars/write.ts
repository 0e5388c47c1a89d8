/** `pnpm registrars`: writes what `example.env` and the docs say about registrars, from their declarations. */
import { readFileSync, writeFileSync } from 'node:fs'
import { REGISTRARS } from '../../server/src/availability/registrars/all.ts'
import { WRITERS } from './pages.ts'

for (const [path, write] of WRITERS) {
  const file = `${import.meta.dirname}/../../${path}`
  const before = readFileSync(file, 'utf8')
  const after = write(before, REGISTRARS)
  if (after !== before) writeFileSync(file, after)
  console.log(`${path}: ${after === before ? 'up to date' : 'written'}`)
}

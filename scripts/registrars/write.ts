/** `pnpm openapi`: writes what `example.env` and the docs say about registrars and namespaces, from their declarations. */
import { readFileSync, writeFileSync } from 'node:fs'
import { NAMESPACES } from '../../server/src/engines/namespaces/all.ts'
import { REGISTRARS } from '../../server/src/engines/availability/registrars/all.ts'
import { NAMESPACE_WRITERS } from '../namespaces/pages.ts'
import { WRITERS } from './pages.ts'

for (const [path, write] of WRITERS) rewrite(path, (text) => write(text, REGISTRARS))
for (const [path, write] of NAMESPACE_WRITERS) rewrite(path, (text) => write(text, NAMESPACES))

function rewrite(path: string, write: (text: string) => string): void {
  const file = `${import.meta.dirname}/../../${path}`
  const before = readFileSync(file, 'utf8')
  const after = write(before)
  if (after !== before) writeFileSync(file, after)
  console.log(`${path}: ${after === before ? 'up to date' : 'written'}`)
}

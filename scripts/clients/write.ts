/** `pnpm clients`: the example clients in Python and PHP, made from `api/openapi.json`. */
import { writeFileSync } from 'node:fs'
import type { ApiShape } from './document.ts'
import { readShape } from './document.ts'
import { phpClient } from './php.ts'
import { pythonClient } from './python.ts'

export const CLIENTS: readonly { readonly path: string; readonly make: (shape: ApiShape) => string }[] = [
  { path: 'examples/python/namewright.py', make: pythonClient },
  { path: 'examples/php/Namewright.php', make: phpClient },
]

if (import.meta.main) {
  const shape = readShape()
  for (const { path, make } of CLIENTS) {
    const text = make(shape)
    writeFileSync(`${import.meta.dirname}/../../${path}`, text)
    console.log(`${path}: ${shape.operations.length} operations, ${text.split('\n').length} lines`)
  }
}

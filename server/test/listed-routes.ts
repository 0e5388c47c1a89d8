/** The routes as `namewright-server routes` prints them: the file that `golden.test.ts` compares with the command. */
import { readFileSync } from 'node:fs'

export interface ListedRoute {
  /** Such as `GET /v1/favorites/{id}`. */
  readonly name: string
  /** Such as `scope favorites:read`, `role admin`, `operator` or `public`. */
  readonly access: string
  readonly idempotencyKey: string
}

export const LISTED_ROUTES: readonly ListedRoute[] = readFileSync(new URL('golden/routes.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [method = '', path = '', access = '', , idempotencyKey = ''] = line.split(/ {2,}/)
    return { name: `${method} ${path}`, access, idempotencyKey }
  })

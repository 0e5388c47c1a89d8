/**
 * npm: packages without a scope.
 *
 * GET /{package} returns the package document, in short form with the Accept header below, and 404 with
 * `{"error":"Not found"}` otherwise (github.com/npm/registry, docs/responses/package-metadata.md, read 2026-11-17).
 * Documents have megabytes, so only the beginning is read: the name is its first or third field.
 *
 * npm refuses a name that equals an existing one after removing `.`, `-` and `_`, and further names that it finds too
 * similar, by a rule that it does not publish ("mimify" for "minify": github.com/orgs/community/discussions/207114, read
 * 2026-11-17). So a missing package proves nothing. Names of Node's own modules are refused too.
 */
import { builtinModules } from 'node:module'
import type { NamespaceDeclaration, NamespaceQuery } from './declaration.ts'
import { beginningOf, fits, isSame } from './read-answer.ts'

const NAME_FIELD = /^\{(?:"_id":"[^"]{1,214}",)?(?:"_rev":"[^"]{1,80}",)?"name":"([^"]{1,214})"/

export const npm: NamespaceDeclaration = {
  name: 'npm',
  title: 'npm',
  group: 'packages',
  host: 'registry.npmjs.org',
  rate: { perSecond: 10, isPublished: false },
  findName: (label) => label,
  reserved: builtinModules,
  queries: (name) => {
    const squashed = name.replaceAll('-', '')
    return squashed === name ? [queryOf(name)] : [queryOf(name), { ...queryOf(squashed), isSimilar: true }]
  },
  known: 'npm',
  pageOf: (name) => `https://www.npmjs.com/package/${name}`,
  docs: {
    rules: 'Taken if the name without hyphens exists. Modules of Node are reserved.',
    notFound: 'npm refuses names that it finds too similar to others, by a rule that it does not publish.',
  },
  privacy: 'The name, and the name without hyphens.',
}

function queryOf(name: string): NamespaceQuery {
  return {
    path: `/${name}`,
    accept: 'application/vnd.npm.install-v1+json',
    read({ status, body }) {
      if (status === 404) return fits(body, ({ error }) => isSame(error, 'not found')) ? 'absent' : 'malformed'
      const [, found] = NAME_FIELD.exec(beginningOf(body)) ?? []
      return isSame(found, name) ? 'exists' : 'malformed'
    },
  }
}

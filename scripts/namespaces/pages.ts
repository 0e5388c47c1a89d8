/** What the docs say about namespaces, derived from their declarations. Pure functions from text to text. */
import type { NamespaceDeclaration } from '../../server/src/engines/namespaces/declaration.ts'
import { replaceRows } from '../registrars/pages.ts'

type Write = (text: string, namespaces: readonly NamespaceDeclaration[]) => string

/** The files with a table of namespaces, each with how it is written. */
export const NAMESPACE_WRITERS: ReadonlyMap<string, Write> = new Map<string, Write>([
  [
    'docs/check.md',
    (text, namespaces) =>
      replaceRows(text, ['namespace', 'in'], () =>
        namespaces.map(({ title, name, group, docs }) => [
          `${title}: \`${name}\``,
          `\`${group}\``,
          docs.rules,
          docs.notFound,
        ]),
      ),
  ],
  [
    'docs/privacy.md',
    (text, namespaces) =>
      replaceRows(text, ['namespace', 'host'], () =>
        namespaces.map(({ title, name, host, privacy }) => [`${title}: \`${name}\``, `\`${host}\``, privacy]),
      ),
  ],
])

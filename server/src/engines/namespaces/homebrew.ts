/**
 * Homebrew: formulae and casks, two namespaces at one host.
 *
 * GET /api/formula/{name}.json and /api/cask/{token}.json return the entry (formulae.brew.sh/docs/api, read 2026-11-17).
 * They are static files, and 404 is a page of the web host. There are no files for aliases and former names, which are
 * taken all the same (generate-formula-api in github.com/Homebrew/brew writes them elsewhere). Only the list of everything
 * has them, some 30 MB. So an entry that is not found proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { beginningOf, isSame, readerOf } from './read-answer.ts'

const COMMON = {
  group: 'packages',
  host: 'formulae.brew.sh',
  rate: { perSecond: 10, isPublished: false },
  findName: (label: string) => label,
  privacy: 'The name.',
} as const

export const homebrewFormula: NamespaceDeclaration = {
  ...COMMON,
  name: 'homebrew-formula',
  title: 'Homebrew formula',
  queries: (name) => [queryOf('formula', name)],
  known: 'wget',
  pageOf: (name) => `https://formulae.brew.sh/formula/${name}`,
  docs: {
    rules: 'Equality.',
    notFound: 'Aliases and former names of formulae are taken, and are not found.',
  },
}

export const homebrewCask: NamespaceDeclaration = {
  ...COMMON,
  name: 'homebrew-cask',
  title: 'Homebrew cask',
  queries: (name) => [queryOf('cask', name)],
  known: 'firefox',
  pageOf: (name) => `https://formulae.brew.sh/cask/${name}`,
  docs: {
    rules: 'Equality.',
    notFound: 'Former names of casks are taken, and are not found.',
  },
}

function queryOf(kind: 'formula' | 'cask', name: string) {
  return {
    path: `/api/${kind}/${name}.json`,
    accept: 'application/json',
    read: readerOf(
      (entry) => isSame(kind === 'formula' ? entry.name : entry.token, name),
      (body) => /<title>[^<]*(?:404|not found)/i.test(beginningOf(body)),
    ),
  }
}

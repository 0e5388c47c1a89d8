/**
 * RubyGems.org: gems.
 *
 * GET /api/v1/gems/{name}.json returns the gem, and otherwise 404 with the text "This rubygem could not be found." The
 * API allows ten requests a second (guides.rubygems.org/rubygems-org-api, read 2026-11-17).
 *
 * The name of a removed gem stays reserved for its owner for some hundred days, and further names are reserved by
 * RubyGems.org (rubygems.org/gems/rbt, read 2026-11-17). The API returns 404 for both, so a missing gem proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { beginningOf, isSame, readerOf } from './read-answer.ts'

export const rubygems: NamespaceDeclaration = {
  name: 'rubygems',
  title: 'RubyGems.org',
  group: 'packages',
  host: 'rubygems.org',
  rate: { perSecond: 10, isPublished: true },
  findName: (label) => (/[a-z]/.test(label) ? label : undefined),
  queries: (name) => [
    {
      path: `/api/v1/gems/${name}.json`,
      accept: 'application/json',
      read: readerOf(
        (gem) => isSame(gem.name, name),
        (body) => beginningOf(body).trim() === 'This rubygem could not be found.',
      ),
    },
  ],
  known: 'rake',
  pageOf: (name) => `https://rubygems.org/gems/${name}`,
  docs: {
    rules: 'Case does not count. Has at least one letter.',
    notFound: 'RubyGems.org reserves the name of a removed gem for about 100 days, and other names for good.',
  },
  privacy: 'The name.',
}

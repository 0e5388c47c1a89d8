/**
 * GitHub: users and organizations, which share one space of names.
 *
 * GET /users/{username} returns either, and 404 with `{"message":"Not Found"}` otherwise. Without a token an address has
 * 60 requests an hour, and is refused beyond that (docs.github.com/rest/users/users and
 * /rest/using-the-rest-api/rate-limits-for-the-rest-api, read 2026-11-17). A name has up to 39 letters, digits and single
 * hyphens, and no hyphen at either end.
 *
 * Suspended accounts, names of deleted accounts (held for 90 days) and reserved names are 404 too
 * (github.com/orgs/community/discussions/201138, read 2026-11-17). So an account that is not found proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { fits, isSame, readerOf } from './read-answer.ts'

export const github: NamespaceDeclaration = {
  name: 'github',
  title: 'GitHub',
  group: 'code',
  host: 'api.github.com',
  rate: { perSecond: 1 / 60, isPublished: true },
  findName: (label) => (label.length <= 39 && !label.includes('--') ? label : undefined),
  queries: (name) => [
    {
      path: `/users/${name}`,
      accept: 'application/vnd.github+json',
      read: readerOf(
        ({ login, type }) => isSame(login, name) && typeof type === 'string',
        (body) => fits(body, ({ message }) => message === 'Not Found'),
      ),
    },
  ],
  known: 'github',
  pageOf: (name) => `https://github.com/${name}`,
  docs: {
    rules:
      'Users and organizations share the names. Up to 39 characters, single hyphens. Paths of the site are reserved.',
    notFound: 'GitHub hides suspended accounts, and holds the name of a deleted account for 90 days.',
  },
  privacy: 'The name.',
}

/**
 * GitLab.com: users and groups, which share one space of names.
 *
 * GET /api/v4/users?username= lists the one user of that name or nobody; GET /api/v4/groups/{path} returns a public
 * group, and otherwise 404 with `{"message":"404 Group Not Found"}` (docs.gitlab.com/api/users and /api/groups, read
 * 2026-11-17). Names have no two special characters in a row; routes of the site are reserved
 * (docs.gitlab.com/user/reserved_names, read 2026-11-17).
 *
 * A private group is 404 as well, and only a signed-in caller may ask whether a namespace exists. So an account that is
 * not found proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { findJson } from '../../platform/outbound/shallow-json.ts'
import { fieldsOf, fits, isSame, readerOf } from './read-answer.ts'

export const gitlab: NamespaceDeclaration = {
  name: 'gitlab',
  title: 'GitLab.com',
  group: 'code',
  host: 'gitlab.com',
  rate: { perSecond: 5, isPublished: false },
  findName: (label) => (label.length >= 2 && !label.includes('--') ? label : undefined),
  queries: (name) => [
    {
      path: `/api/v4/users?username=${name}`,
      accept: 'application/json',
      read({ status, body }) {
        const list = findJson(body, 8)
        if (status !== 200 || !Array.isArray(list)) return 'malformed'
        const [first, ...others] = list as unknown[]
        if (first === undefined) return 'absent'
        return others.length === 0 && isSame(fieldsOf(first).username, name) ? 'exists' : 'malformed'
      },
    },
    {
      path: `/api/v4/groups/${name}?with_projects=false`,
      accept: 'application/json',
      read: readerOf(
        (group) => isSame(group.full_path, name),
        (body) => fits(body, ({ message }) => message === '404 Group Not Found'),
      ),
    },
  ],
  known: 'gitlab-org',
  pageOf: (name) => `https://gitlab.com/${name}`,
  docs: {
    rules: 'Users and groups share the names. At least 2 characters, single hyphens. Routes of the site are reserved.',
    notFound: 'GitLab.com hides private groups.',
  },
  privacy: 'The name, twice.',
}

/**
 * PyPI: projects.
 *
 * GET /simple/{project}/ is the index of a project, in JSON by the Accept header (PEP 503 and PEP 691, read 2026-11-17).
 * Names are compared in lower case with each run of `-`, `_` and `.` as one `-`; another spelling is redirected. The list
 * of files precedes the name and has megabytes, so the media type has to identify the response.
 *
 * PyPI refuses names that look like existing ones (`l` and `1`, `o` and `0`, any punctuation), names of modules of the
 * standard library, and names on a list that it does not publish (pypi.org/help/#project-name and
 * github.com/pypi/support/issues/3312, read 2026-11-17). So a missing project proves nothing.
 */
import type { NamespaceDeclaration } from './declaration.ts'

const MEDIA_TYPE = 'application/vnd.pypi.simple.v1+json'

export const pypi: NamespaceDeclaration = {
  name: 'pypi',
  title: 'PyPI',
  group: 'packages',
  host: 'pypi.org',
  rate: { perSecond: 10, isPublished: false },
  findName: (label) => label.replaceAll(/-+/g, '-'),
  queries: (name) => [
    {
      path: `/simple/${name}/`,
      accept: MEDIA_TYPE,
      read({ status, headers, body }) {
        if (status === 404) return /404 Not Found/i.test(body.toString('latin1')) ? 'absent' : 'malformed'
        const isIndex = headers['content-type']?.startsWith(MEDIA_TYPE) && body[0] === '{'.charCodeAt(0)
        return isIndex ? 'exists' : 'malformed'
      },
    },
  ],
  known: 'pip',
  pageOf: (name) => `https://pypi.org/project/${name}/`,
  docs: {
    rules: 'Compared as in PEP 503: case and runs of `-`, `_`, `.` do not count. Modules of Python are reserved.',
    notFound: 'PyPI refuses names that look like others, and names on a list that it does not publish.',
  },
  privacy: 'The name.',
}

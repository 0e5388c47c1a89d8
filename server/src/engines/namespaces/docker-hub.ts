/**
 * Docker Hub: namespaces, which are the Docker IDs of people and the names of organizations.
 *
 * GET /v2/namespaces/{namespace}/repositories lists its public repositories as `{count, next, previous, results}`
 * (docs.docker.com/reference/api/hub/latest, read 2026-11-17). A namespace without public repositories cannot be told
 * from one that does not exist. A Docker ID has 4 to 30 lower-case letters and digits, and cannot be used again after its
 * account was deactivated (github.com/docker/docs/pull/21438, read 2026-11-17). So only a listed repository is proof.
 */
import type { NamespaceDeclaration } from './declaration.ts'
import { findJson, isRecord } from '../../platform/outbound/shallow-json.ts'
import { fieldsOf, fits, isSame } from './read-answer.ts'

export const dockerHub: NamespaceDeclaration = {
  name: 'docker-hub',
  title: 'Docker Hub',
  group: 'packages',
  host: 'hub.docker.com',
  rate: { perSecond: 2, isPublished: false },
  findName: (label) => (/^[a-z0-9]{4,30}$/.test(label) ? label : undefined),
  queries: (name) => [
    {
      path: `/v2/namespaces/${name}/repositories?page_size=1`,
      accept: 'application/json',
      read({ status, body }) {
        if (status === 404) return fits(body, ({ message }) => typeof message === 'string') ? 'absent' : 'malformed'
        const list = findJson(body, 8)
        if (!isRecord(list) || !Array.isArray(list.results) || typeof list.count !== 'number') return 'malformed'
        const [first] = list.results as unknown[]
        if (first === undefined) return list.count === 0 ? 'absent' : 'malformed'
        return isSame(fieldsOf(first).namespace, name) ? 'exists' : 'malformed'
      },
    },
  ],
  known: 'grafana',
  pageOf: (name) => `https://hub.docker.com/u/${name}`,
  docs: {
    rules: '4 to 30 lower-case letters and digits. People and organizations share the names.',
    notFound: 'Docker Hub shows no namespace without public repositories, and never gives out an old name again.',
  },
  privacy: 'The name.',
}

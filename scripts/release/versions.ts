/**
 * One version for everything that a release publishes. Each place that states it is read; a place that states another
 * one, or none, is a violation.
 */
import { readFileSync } from 'node:fs'

export interface Stated {
  readonly where: string
  readonly version: string | undefined
}

interface Manifest {
  readonly version?: string
  readonly info?: { readonly version?: string }
  readonly packages?: readonly { readonly version?: string }[]
}

/** The first place is the one that the others have to follow. */
export function readVersions(root: string): Stated[] {
  const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
  const json = (path: string) => JSON.parse(read(path)) as Manifest
  const inText = (path: string, pattern: RegExp) =>
    [...read(path).matchAll(pattern)].map(([, version]) => ({ where: path, version }))
  return [
    { where: 'server/package.json', version: json('server/package.json').version },
    { where: 'sdk/package.json', version: json('sdk/package.json').version },
    { where: 'api/openapi.json', version: json('api/openapi.json').info?.version },
    { where: 'server.json', version: json('server.json').version },
    ...atLeastOne(
      'server.json, packages',
      (json('server.json').packages ?? []).map(({ version }) => ({ where: 'server.json, packages', version })),
    ),
    ...['deploy/kubernetes/namewright.yaml', 'deploy/kubernetes/migrate.yaml', 'compose.yaml'].flatMap((path) =>
      atLeastOne(path, inText(path, /\bghcr\.io\/namewright\/namewright:([\w.-]+)/g)),
    ),
    ...atLeastOne('compose.build.yaml', inText('compose.build.yaml', /\blocalhost\/namewright:([\w.-]+)/g)),
    ...atLeastOne('docs/deploying.md', inText('docs/deploying.md', /^(?:export )?VERSION=(\S+)$/gm)),
  ]
}

/** `tag` is the tag that the release is made from, if it is. */
export function findDisagreements([first, ...others]: readonly Stated[], tag?: string): string[] {
  const wanted = first?.version
  if (first === undefined || wanted === undefined || !/^\d+\.\d+\.\d+(?:-[\d.a-z]+)?$/.test(wanted)) {
    return [`${first?.where ?? 'nothing'} has no version of the form 1.2.3`]
  }
  const wrong = others.filter(({ version }) => version !== wanted)
  const problems = wrong.map(({ where, version }) => `${where}: ${version ?? 'no version'} instead of ${wanted}`)
  if (tag !== undefined && tag !== `v${wanted}`) problems.push(`tag ${tag} instead of v${wanted}`)
  return problems
}

function atLeastOne(where: string, found: readonly Stated[]): readonly Stated[] {
  return found.length > 0 ? found : [{ where, version: undefined }]
}

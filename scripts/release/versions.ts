/** One version for everything that a release publishes: each place that states it is read and compared. */
import { readFileSync } from 'node:fs'

export interface Stated {
  readonly where: string
  readonly version: string | undefined
}

const JSON_VERSION = /"version": "([^"]*)"/g
const IMAGE = /\bghcr\.io\/namewright\/namewright:([\w.-]+)/g
// The first place is the one that the others have to follow.
const PLACES: readonly (readonly [path: string, pattern: RegExp])[] = [
  ['server/package.json', JSON_VERSION],
  ['packages/names/package.json', JSON_VERSION],
  ['packages/zone-index/package.json', JSON_VERSION],
  ['sdk/package.json', JSON_VERSION],
  ['command/package.json', JSON_VERSION],
  ['api/openapi.json', /"info": \{[^}]*?"version": "([^"]*)"/g],
  ['server.json', JSON_VERSION],
  ['deploy/kubernetes/namewright.yaml', IMAGE],
  ['deploy/kubernetes/migrate.yaml', IMAGE],
  ['compose.yaml', IMAGE],
  ['docs/operations.md', /^(?:export )?VERSION=(\S+)$/gm],
]

/** A place that states no version is in the list too. */
export function readVersions(root: string): Stated[] {
  return PLACES.flatMap(([where, pattern]) => {
    const found = [...readFileSync(`${root}/${where}`, 'utf8').matchAll(pattern)].map(([, version]) => version)
    return (found.length > 0 ? found : [undefined]).map((version) => ({ where, version }))
  })
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

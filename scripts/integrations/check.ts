/**
 * Both integrations with the tools of their hosts: types, linters and builds. The tools are installed in a temporary
 * folder, because nothing else here needs them.
 *
 *   node scripts/integrations/check.ts
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

interface Integration {
  readonly folder: string
  readonly tools: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  /** Each command of `node_modules/.bin` with its arguments. */
  readonly steps: readonly (readonly [string, ...string[]])[]
  readonly built: readonly string[]
}

const N8N: Integration = {
  folder: 'n8n',
  tools: { '@n8n/node-cli': '0.48.3', 'n8n-workflow': '2.41.0', eslint: '9.29.0' },
  // A dependency of the command for nodes of another kind. It brings a few hundred packages that no step uses.
  overrides: { '@n8n/ai-node-sdk': 'npm:is-number@7.0.0' },
  steps: [
    ['n8n-node', 'lint'],
    ['n8n-node', 'build'],
  ],
  built: ['dist/nodes/Namewright/Namewright.node.js', 'dist/icons/namewright.svg', 'dist/icons/namewright.dark.svg'],
}

// `ray lint` also asks raycast.com about the author. These are its other steps.
const RAYCAST: Integration = {
  folder: 'raycast',
  tools: { '@raycast/eslint-config': '2.2.0', eslint: '9.39.1', prettier: '3.6.2' },
  steps: [
    ['eslint', 'src', '--max-warnings', '0'],
    ['prettier', '--check', 'src/**/*.{ts,tsx}'],
    ['tsc', '--noEmit', '-p', '.'],
    ['ray', 'build', '--non-interactive', '-o', 'built'],
  ],
  built: ['built/find-names.js', 'built/check.js'],
}

const ROOT = new URL('../../', import.meta.url).pathname

let failed = 0
for (const integration of [N8N, RAYCAST]) failed += check(integration)
console.log(failed === 0 ? 'both integrations pass' : `${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function check({ folder: name, tools, overrides = {}, steps, built }: Integration): number {
  const folder = mkdtempSync(`${tmpdir()}/namewright-${name}-`)
  try {
    cpSync(`${ROOT}integrations/${name}`, folder, { recursive: true })
    // The declarations by hand: here the real ones count.
    rmSync(`${folder}/types`, { recursive: true })
    const manifestPath = `${folder}/package.json`
    const original = readFileSync(manifestPath, 'utf8')
    writeFileSync(manifestPath, JSON.stringify(installable(original, tools, overrides)))
    const install = [
      'install',
      '--legacy-peer-deps',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
    ]
    execFileSync('npm', [...install, '--loglevel', 'error'], { cwd: folder, stdio: 'inherit', timeout: 600_000 })
    // The linters read the manifest as well.
    writeFileSync(manifestPath, original)
    if (original.includes('"namewright": "')) symlinkSync(`${ROOT}sdk`, `${folder}/node_modules/namewright`)
    const broken = steps.filter(([command, ...args]) => !passes(`${name}: ${command}`, command, args, folder))
    const missing = built.filter((path) => !existsSync(`${folder}/${path}`))
    for (const path of missing) console.error(`${name}: ${path} was not built`)
    return broken.length + missing.length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The client is not on npm yet; it is linked afterwards. */
function installable(manifest: string, tools: Integration['tools'], overrides: Integration['tools']): object {
  const read = JSON.parse(manifest) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  const { namewright: _, ...dependencies } = read.dependencies ?? {}
  return { ...read, dependencies, devDependencies: { ...read.devDependencies, ...tools }, overrides }
}

function passes(what: string, command: string, args: readonly string[], cwd: string): boolean {
  const { status, stdout, stderr } = spawnSync(`${cwd}/node_modules/.bin/${command}`, args, {
    cwd,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...process.env, CI: 'true', PATH: `${cwd}/node_modules/.bin:${process.env['PATH'] ?? ''}` },
  })
  console.log(`${what} ${args.join(' ')}: ${status === 0 ? 'passes' : 'fails'}`)
  if (status !== 0) console.error(stdout, stderr)
  return status === 0
}

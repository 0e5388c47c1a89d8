/** The command as people get it: built, packed and installed by npm into an empty folder, and run on a terminal. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { buildCommand } from '../../scripts/command/build.ts'

const COMMAND = new URL('..', import.meta.url).pathname

export interface InstalledCommand extends Disposable {
  /** A folder of its own, also the home of whoever runs it. */
  readonly home: string
  /** The program. */
  readonly bin: string
  /** The names of all packages that were installed. */
  readonly packages: readonly string[]
  readonly packedBytes: number
  /** Without the lists of other languages. */
  readonly packedInEnglishBytes: number
}

/** `quality`: of the compression of the lists; the published one without it. */
export async function installCommand(quality?: number): Promise<InstalledCommand> {
  const folder = mkdtempSync(`${tmpdir()}/namewright-command-`)
  const [source, home] = [`${folder}/source`, `${folder}/home`]
  await buildCommand(source, quality === undefined ? {} : { quality })
  for (const name of ['package.json', 'README.md', 'LICENSE']) copyFileSync(`${COMMAND}${name}`, `${source}/${name}`)
  cpSync(`${COMMAND}bin`, `${source}/bin`, { recursive: true })
  const tarball = pack(source, `${folder}/packed`)
  execFileSync('mkdir', [home])
  writeFileSync(`${home}/package.json`, '{"private":true}')
  npm(home, 'install', '--offline', '--no-audit', '--no-fund', tarball)
  rmSync(`${source}/data/languages`, { recursive: true })
  const inEnglish = pack(source, `${folder}/in-english`)
  const { bin } = JSON.parse(readFileSync(`${COMMAND}package.json`, 'utf8')) as { bin: { namewright: string } }
  return {
    home,
    bin: `${home}/node_modules/namewright/${bin.namewright}`,
    packages: readdirSync(`${home}/node_modules`).filter((name) => !name.startsWith('.')),
    packedBytes: statSync(tarball).size,
    packedInEnglishBytes: statSync(inEnglish).size,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function pack(source: string, to: string): string {
  execFileSync('mkdir', [to])
  npm(source, 'pack', '--ignore-scripts', '--pack-destination', to)
  return `${to}/${readdirSync(to)[0]}`
}

/** Without the settings of whoever runs this, and without a network. */
function npm(folder: string, ...args: readonly string[]): void {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, npm_config_update_notifier: 'false' }
  execFileSync('npm', args, { cwd: folder, env, stdio: 'pipe' })
}

export interface Finished {
  readonly code: number | null
  readonly output: string
  /** From its start to its end, and to the first output that matches. */
  readonly tookMs: number
  readonly firstMs: number | undefined
  /** User and system time until then, to ten milliseconds. */
  readonly cpuToFirstMs: number | undefined
  /** Of the time to the first match and to the last output, how long it could run and others had the processors. */
  readonly stalledToFirstMs: number | undefined
  readonly stalledMs: number
}

export interface TerminalRun {
  readonly env: Readonly<Record<string, string>>
  readonly first?: RegExp
  readonly node?: string
}

/** On a terminal of its own, with nothing in the environment but `env`. */
export async function runInTerminal(
  { home, bin }: Pick<InstalledCommand, 'home' | 'bin'>,
  args: readonly string[],
  { env, first, node = process.execPath }: TerminalRun,
): Promise<Finished> {
  const line = [node, bin, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const startedAt = performance.now()
  // The shell becomes Node, so that it is the child of `script`.
  const child = spawn('script', ['-qfec', `stty cols 120 rows 60; exec ${line}`, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let firstMs: number | undefined
  let cpuToFirstMs: number | undefined
  let stalledToFirstMs: number | undefined
  let stalledMs = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    stalledMs = stalledMsOf(child.pid) ?? stalledMs
    if (firstMs !== undefined || first === undefined || !first.test(output)) return
    firstMs = performance.now() - startedAt
    cpuToFirstMs = cpuMsOf(childOf(child.pid))
    stalledToFirstMs = stalledMs
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const tookMs = performance.now() - startedAt
  return { code, output, tookMs, firstMs, cpuToFirstMs, stalledToFirstMs, stalledMs }
}

function childOf(pid: number | undefined): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
}

/** Of its first thread; undefined when it has ended. */
function stalledMsOf(terminal: number | undefined): number | undefined {
  try {
    return Number(readFileSync(`/proc/${childOf(terminal)}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return undefined
  }
}

/** The clock of the kernel ticks a hundred times a second. */
function cpuMsOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

export interface PlainRun {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly node?: string
}

/** Without a terminal. */
export async function runInstalled(
  { home, bin }: Pick<InstalledCommand, 'home' | 'bin'>,
  args: readonly string[],
  { env = {}, stdin = '', node = process.execPath }: PlainRun = {},
) {
  const startedAt = performance.now()
  const child = spawn(node, [bin, ...args], { cwd: home, env: { HOME: home, ...env } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr, tookMs: performance.now() - startedAt }
}

// What the sources import by name is bound again.
const RECORD_READS = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { readFileSync, writeFileSync } = fs
  const read = []
  fs.readFileSync = (path, ...rest) => {
    read.push(String(path))
    return readFileSync(path, ...rest)
  }
  syncBuiltinESMExports()
  process.on('exit', () => writeFileSync(process.env.READS, read.join('\\n')))`

/** The files of its `data` that the command reads on the way. */
export async function dataReadBy(
  { home, bin }: Pick<InstalledCommand, 'home' | 'bin'>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const reads = `${home}/reads`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(RECORD_READS)}`
  const { code, stderr } = await runInstalled({ home, bin }, args, { env: { ...env, NODE_OPTIONS, READS: reads } })
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`)
  return readFileSync(reads, 'utf8')
    .split('\n')
    .flatMap((path) => /\/data\/(.+)$/.exec(path)?.[1] ?? [])
}

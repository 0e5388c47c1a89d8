/**
 * Runs a program of ours on this machine as if it had neither PostgreSQL nor Redis nor a network: in namespaces of its
 * own, where their programs and sockets are hidden. It takes root, which the tests in CI are.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMPILED } from './compiled.ts'

export const CAN_BE_BARE = process.platform === 'linux' && process.getuid?.() === 0

// `daemon` is a user of every Debian that may do nothing in particular.
const USERS = { root: '0', daemon: '1' } as const

const HIDE = `ip link set lo up
for folder in /usr/lib/postgresql /var/run/postgresql $BARE_HIDDEN; do
  [ ! -d $folder ] || mount -t tmpfs none $folder
done
PATH="$BARE_PATH" TMPDIR="$BARE_FOLDER" exec /usr/bin/setpriv --reuid="$0" --regid="$0" --clear-groups "$@"`

const run = promisify(execFile)

export interface BareProcess extends AsyncDisposable {
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  /** Waits until its output has this; fails when it ends before. */
  readonly says: (text: string) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  readonly code: Promise<number | null>
  /** Sends a request to a server in its network, and returns the JSON of the answer. */
  readonly ask: (
    url: string,
    key: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly json: unknown }>
  /** What it has left: files in its temporary folder, and processes that work there. */
  readonly left: () => Promise<readonly string[]>
}

export async function runBare(
  user: keyof typeof USERS,
  args: readonly string[],
  /** More folders that it finds empty. */
  hidden: readonly string[] = [],
): Promise<BareProcess> {
  const home = await mkdtemp(join(tmpdir(), 'namewright-bare-'))
  await chmod(home, 0o711)
  const [folder, path] = [join(home, 'tmp'), join(home, 'bin')]
  await Promise.all([mkdir(folder), mkdir(path)])
  // Others may pass through, but not look.
  await chmod(folder, 0o711)
  await chown(folder, Number(USERS[user]), Number(USERS[user]))
  await symlink('/usr/bin/id', join(path, 'id'))
  const child = spawn('unshare', ['--mount', '--net', 'sh', '-ec', HIDE, USERS[user], process.execPath, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      ...COMPILED,
      BARE_PATH: path,
      BARE_FOLDER: folder,
      BARE_HIDDEN: hidden.join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  const code = once(child, 'close').then(([ended]) => ended as number | null)
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return {
    output: () => output,
    code,
    kill: (signal) => child.kill(signal),
    async says(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => {
        if (`${output.stdout}${output.stderr}`.includes(text)) resolve()
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      void code.then((ended) => reject(new Error(`it ended with ${ended}: ${output.stdout}${output.stderr}`)))
      look()
      await promise
    },
    async ask(url, key, body) {
      const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json']
      const sent = body === undefined ? [] : ['-d', JSON.stringify(body)]
      const curl = ['curl', '-s', '-w', '\n%{http_code}', ...headers, ...sent, url]
      const { stdout } = await run('nsenter', [`--net=/proc/${child.pid}/ns/net`, ...curl])
      const [, text = '', status = ''] = /^([^]*)\n(\d+)$/.exec(stdout) ?? []
      return { status: Number(status), json: JSON.parse(text) as unknown }
    },
    async left() {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
      const working = await Promise.all(
        pids.map(async (pid) => {
          const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
          return cwd.startsWith(folder) ? [`process ${pid}`] : []
        }),
      )
      return [...(await readdir(folder)), ...working.flat()]
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT')
      await code
      await rm(home, { recursive: true, force: true })
    },
  }
}

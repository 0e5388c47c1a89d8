/**
 * Runs pgBackRest, which does the copying, and reads its output.
 *
 * It must run on the database machine, as the user that owns the database files. No shell is involved: arguments are
 * passed as a list.
 */
import { execFile } from 'node:child_process'

export interface Backup {
  readonly label: string
  readonly type: 'full' | 'diff' | 'incr'
  readonly startedAt: Date
  readonly endedAt: Date
  /** Size of the database, and what this backup added to the repository. */
  readonly bytes: number
  readonly storedBytes: number
  readonly isBroken: boolean
}

export interface Pgbackrest {
  /** Makes the server archive a segment now and waits until it is in the repository. */
  check(): Promise<void>
  make(type: Backup['type']): Promise<void>
  list(): Promise<readonly Backup[]>
  /** Whether pgBackRest itself encrypts the repository; a bucket's own encryption is not detected. */
  isEncrypted(): Promise<boolean>
  /**
   * Restores into the folder of its configuration; the server must be stopped. Without a moment: up to the latest
   * archived WAL.
   */
  restore(to: Date | undefined): Promise<void>
}

export interface PgbackrestOptions {
  readonly stanza: string
  /** Without it, pgBackRest's own default. */
  readonly configFile?: string | undefined
  /** The user to run as if this process is root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

export class BackupError extends Error {}

interface Info {
  readonly cipher?: string
  readonly status: { readonly code: number; readonly message: string }
  readonly backup?: readonly {
    readonly label: string
    readonly type: Backup['type']
    readonly timestamp: { readonly start: number; readonly stop: number }
    readonly info: { readonly size: number; readonly repository: { readonly delta: number } }
    readonly error?: boolean
  }[]
}

const MAX_OUTPUT = 64 * 1024 * 1024

export function openPgbackrest({ stanza, configFile, user }: PgbackrestOptions): Pgbackrest {
  const always = [`--stanza=${stanza}`, ...(configFile === undefined ? [] : [`--config=${configFile}`])]

  function run(...words: string[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const options = { cwd: '/', maxBuffer: MAX_OUTPUT, ...user }
    execFile('pgbackrest', [...always, ...words], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const isMissing = 'code' in error && error.code === 'ENOENT'
      const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')
      reject(new BackupError(isMissing ? 'pgbackrest is not installed on this machine' : said || error.message))
    })
    return promise
  }

  return {
    check: async () => void (await run('check')),
    make: async (type) => void (await run(`--type=${type}`, 'backup')),
    async list() {
      const [info] = JSON.parse(await run('--output=json', 'info')) as Info[]
      if (!info) return []
      // 2: the repository exists and is empty.
      if (info.status.code !== 0 && info.status.code !== 2) throw new BackupError(info.status.message)
      return (info.backup ?? []).map(({ label, type, timestamp, info: { size, repository }, error }) => ({
        label,
        type,
        startedAt: new Date(timestamp.start * 1000),
        endedAt: new Date(timestamp.stop * 1000),
        bytes: size,
        storedBytes: repository.delta,
        isBroken: error === true,
      }))
    },
    async isEncrypted() {
      const [info] = JSON.parse(await run('--output=json', 'info')) as Info[]
      return info?.cipher !== undefined && info.cipher !== 'none'
    },
    async restore(to) {
      const target = to === undefined ? [] : ['--type=time', `--target=${targetOf(to)}`, '--target-action=promote']
      await run('--delta', ...target, 'restore')
    },
  }
}

/** In PostgreSQL's format, in UTC with milliseconds. */
function targetOf(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '+00')
}

/**
 * pgBackRest, which does the copying: we say what, and read what it says.
 *
 * It must run on the machine of the database, as the user that owns its files. Nothing here is a shell's: what it is called with is a
 * list of words.
 */
import { execFile } from 'node:child_process'

export interface Backup {
  readonly label: string
  readonly type: 'full' | 'diff' | 'incr'
  readonly startedAt: Date
  readonly endedAt: Date
  /** Of the database, and of what this one added to the store. */
  readonly bytes: number
  readonly storedBytes: number
  readonly isBroken: boolean
}

export interface Pgbackrest {
  /** Has the server archive something now and waits until it is in the store. */
  check(): Promise<void>
  make(type: Backup['type']): Promise<void>
  list(): Promise<readonly Backup[]>
  /** Into the folder of its configuration; the server must be stopped. Without a moment: everything there is. */
  restore(to: Date | undefined): Promise<void>
}

export interface PgbackrestOptions {
  readonly stanza: string
  /** Its own default where there is none. */
  readonly configFile?: string | undefined
  /** Whom to be, for who is root and not that user. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

export class BackupError extends Error {}

interface Info {
  readonly status: { readonly code: number; readonly message: string }
  readonly backup?: readonly {
    readonly label: string
    readonly type: Backup['type']
    readonly timestamp: { readonly start: number; readonly stop: number }
    readonly info: { readonly size: number; readonly repository: { readonly delta: number } }
    readonly error?: boolean
  }[]
}

const MOST_OUTPUT = 64 * 1024 * 1024

export function openPgbackrest({ stanza, configFile, user }: PgbackrestOptions): Pgbackrest {
  const always = [`--stanza=${stanza}`, ...(configFile === undefined ? [] : [`--config=${configFile}`])]

  function run(...words: string[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const options = { cwd: '/', maxBuffer: MOST_OUTPUT, ...user }
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
      // 2: there is a store and nothing in it yet.
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
    async restore(to) {
      const target = to === undefined ? [] : ['--type=time', `--target=${targetOf(to)}`, '--target-action=promote']
      await run('--delta', ...target, 'restore')
    },
  }
}

/** As PostgreSQL reads it, to the thousandth and in UTC. */
function targetOf(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '+00')
}

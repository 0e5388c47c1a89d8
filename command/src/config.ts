/**
 * The settings file: `$XDG_CONFIG_HOME/namewright/config.json`, readable by its owner alone.
 *
 * Credentials are stored by the URL of their service, so that a key is never sent to another service with another --url.
 * A file that other users can read is refused, so that its owner notices. Every change holds a lock and replaces the
 * file by renaming, because two commands may renew the same sign-in at once.
 */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CliError, EXIT, isCode, usageError } from './exit.ts'
import type { Env } from './streams.ts'

/** The tokens of a sign-in; times in milliseconds since 1970. */
export interface Login {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly expires_at: number
  readonly scope: string
}

export type Audience = 'v1' | 'mcp'

export interface ServiceConfig {
  readonly key?: string | undefined
  readonly client_id?: string | undefined
  readonly logins?: { readonly [Name in Audience]?: Login | undefined } | undefined
}

export interface Config {
  readonly url?: string | undefined
  readonly tlds?: string | undefined
  readonly language?: string | undefined
  readonly currency?: string | undefined
  readonly count?: string | undefined
  readonly services?: Readonly<Record<string, ServiceConfig>> | undefined
}

export interface ConfigFile {
  readonly path: string
  read(): Promise<Config>
  /** Changes the file under a lock and returns the new settings. */
  change(edit: (config: Config) => Config | Promise<Config>): Promise<Config>
}

// Longer than the renewal of a sign-in takes: the owner of an older lock has crashed.
const STALE_LOCK_MS = 60_000
const LOCK_POLL_MS = 50

export function configPath(env: Env): string {
  const given = env['XDG_CONFIG_HOME']
  // The specification: a path that is not absolute is ignored.
  const base = given && isAbsolute(given) ? given : join(env['HOME'] || homedir(), '.config')
  return join(base, 'namewright', 'config.json')
}

export function openConfig(env: Env): ConfigFile {
  const path = configPath(env)

  async function read(): Promise<Config> {
    let text: string
    try {
      await refuseReadableByOthers(path)
      text = await readFile(path, 'utf8')
    } catch (error) {
      if (isCode(error, 'ENOENT')) return {}
      throw error
    }
    const config = parse(text)
    if (config === undefined)
      throw usageError(`${path} is not a valid settings file.`, 'Correct its JSON, or delete it and set it up again.')
    return config
  }

  return {
    path,
    read,
    async change(edit) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const unlock = await lock(`${path}.lock`)
      try {
        const config = await edit(await read())
        await replaceFile(path, `${JSON.stringify(config, undefined, 2)}\n`)
        return config
      } finally {
        await unlock()
      }
    },
  }
}

export function serviceOf(config: Config, url: string): ServiceConfig {
  return config.services?.[url] ?? {}
}

export function withService(config: Config, url: string, service: ServiceConfig): Config {
  const { [url]: _before, ...others } = config.services ?? {}
  const isEmpty = Object.values(service).every((one) => one === undefined)
  return { ...config, services: isEmpty ? others : { ...others, [url]: service } }
}

/** Replaces the file atomically; only the owner can read it at any time. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

async function refuseReadableByOthers(path: string): Promise<void> {
  // Windows has no such mode.
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  throw new CliError(
    EXIT.auth,
    `Other users can read ${path} (mode ${octal}), and it contains credentials. It was not used.`,
    `Run: chmod 600 ${path}. If others may have read it, create a new key.`,
  )
}

function parse(text: string): Config | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    }
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > STALE_LOCK_MS) await rm(path, { force: true })
    else await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
  }
}

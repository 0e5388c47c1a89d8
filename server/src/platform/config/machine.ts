/**
 * The environment variables that the demo reads. It ignores all others, so that settings of a real service do not
 * apply.
 */
import { userInfo } from 'node:os'

export interface Machine {
  readonly databaseUrl: string | undefined
  /** Its default is the loopback address. In a container only other addresses can be reached. */
  readonly host: string | undefined
  readonly port: number | undefined
  /** The PostgreSQL user. */
  readonly user: string
  readonly hasDisplay: boolean
  /** For the programs of PostgreSQL, which `PGPORT` and the like would mislead. */
  readonly environment: Readonly<Record<string, string>>
}

const OF_PROGRAMS = ['PATH', 'SystemRoot', 'TEMP', 'LANG', 'LC_ALL', 'TZ']

export function readMachine(env: Readonly<Record<string, string | undefined>> = process.env): Machine {
  return {
    databaseUrl: env['NAMEWRIGHT_DATABASE_URL'] || undefined,
    host: env['NAMEWRIGHT_HOST'] || undefined,
    port: env['NAMEWRIGHT_PORT'] ? Number(env['NAMEWRIGHT_PORT']) : undefined,
    user: env['PGUSER'] || userInfo().username,
    hasDisplay: Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']),
    environment: Object.fromEntries(OF_PROGRAMS.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  }
}

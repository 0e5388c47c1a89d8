/**
 * The one-shot service `secrets` of `compose.yaml`: generates every password at the first start, and nothing later.
 *
 *   node secrets.ts FOLDER      FOLDER/server FOLDER/worker FOLDER/postgres FOLDER/valkey
 *
 * Each folder is a volume that only its service mounts, so each service reads only its own secrets: the worker does not
 * have the credentials of the owner role, and Valkey has only its own password. No secret has a default or is printed.
 * The server's file is written last. While it is missing, all secrets are generated again: no service has used them yet.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'

const folder = process.argv[2]
if (folder === undefined) throw new Error('name the folder to write to')

/** The service that mounts the volume runs as another user, so files are readable by all; only one service mounts it. */
function put(path: string, text: string): void {
  const whole = `${folder}/${path}`
  mkdirSync(whole.slice(0, whole.lastIndexOf('/')), { recursive: true, mode: 0o755 })
  writeFileSync(`${whole}.new`, text, { mode: 0o444, flush: true })
  renameSync(`${whole}.new`, whole)
}

const make = () => randomBytes(32).toString('hex')

if (existsSync(`${folder}/server/server.env`)) {
  console.log('secrets: there already')
} else {
  const [secret, superuser, owner, app, valkey] = [make(), make(), make(), make(), make()]
  put('postgres/password', superuser)
  put(
    'postgres/roles.sql',
    `CREATE ROLE namewright_app NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE namewright_people NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE namewright_jobs NOLOGIN NOSUPERUSER NOBYPASSRLS;
CREATE ROLE namewright_owner LOGIN PASSWORD '${owner}';
CREATE ROLE namewright LOGIN PASSWORD '${app}';
GRANT namewright_app, namewright_people, namewright_jobs TO namewright;
CREATE DATABASE namewright OWNER namewright_owner;
`,
  )
  // No data in it has to survive a restart: no snapshots, no log.
  put(
    'valkey/valkey.conf',
    `port 6379
protected-mode no
requirepass ${valkey}
save ""
appendonly no
maxmemory 256mb
maxmemory-policy allkeys-lru
`,
  )
  const shared = [
    `NAMEWRIGHT_DATABASE_URL=postgres://namewright:${app}@postgres:5432/namewright`,
    `NAMEWRIGHT_REDIS_URL=redis://:${valkey}@valkey:6379`,
    `NAMEWRIGHT_SECRET=${secret}`,
    '',
  ].join('\n')
  put('worker/worker.env', shared)
  put(
    'server/server.env',
    `${shared}NAMEWRIGHT_OWNER_DATABASE_URL=postgres://namewright_owner:${owner}@postgres:5432/namewright\n`,
  )
  console.log('secrets: made')
}

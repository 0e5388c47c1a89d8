/**
 * The health check of the image, which has no curl: exits with 0 if /healthz returns 200, otherwise with 1.
 *
 *   node health.ts          what the container was started as: a node, on the port and protocol of its settings, or a worker
 *   node health.ts 9091     plain HTTP on the given port
 *
 * It does not verify the certificate, which is for the public name and not for 127.0.0.1.
 */
import { readFileSync } from 'node:fs'
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'

const { NAMEWRIGHT_PORT, NAMEWRIGHT_TLS_CERT_FILE, NAMEWRIGHT_WORKER_PORT } = process.env

/** The first process of the container has its arguments, also below an init. */
function isWorker(): boolean {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8').split('\0').includes('work')
  } catch {
    return false
  }
}

const given = process.argv[2] ?? (isWorker() ? NAMEWRIGHT_WORKER_PORT || undefined : undefined)
const isSecure = given === undefined && Boolean(NAMEWRIGHT_TLS_CERT_FILE)
const options = {
  host: '127.0.0.1',
  port: Number(given ?? (NAMEWRIGHT_PORT || 8080)),
  path: '/healthz',
  timeout: 4000,
  rejectUnauthorized: false,
}
const asked = isSecure ? secure(options) : plain(options)
asked.on('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
asked.on('timeout', () => process.exit(1))
asked.on('error', () => process.exit(1))
asked.end()

/**
 * The health check of the image, which has no shell and no curl: 0 when /healthz answers 200, else 1.
 *
 *   node health.ts          a node, on the port and in the manner that its settings name
 *   node health.ts 9091     a worker, which speaks plain HTTP on the port it was given
 *
 * A certificate is not checked: it is for the name that callers use, and this asks 127.0.0.1.
 */
import { request as plain } from 'node:http'
import { request as secure } from 'node:https'

const given = process.argv[2]
const isSecure = given === undefined && Boolean(process.env['NAMEWRIGHT_TLS_CERT_FILE'])
const options = {
  host: '127.0.0.1',
  port: Number(given ?? (process.env['NAMEWRIGHT_PORT'] || 8080)),
  path: '/healthz',
  timeout: 4000,
  rejectUnauthorized: false,
}
const asked = isSecure ? secure(options) : plain(options)
asked.on('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
asked.on('timeout', () => process.exit(1))
asked.on('error', () => process.exit(1))
asked.end()

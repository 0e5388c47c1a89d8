/**
 * The health check of the image, which has no shell and no curl: exits with 0 if /healthz returns 200, otherwise with 1.
 *
 *   node health.ts          a node, on the port and protocol of its settings
 *   node health.ts 9091     a worker, which speaks plain HTTP on the given port
 *
 * It does not verify the certificate, which is for the public name and not for 127.0.0.1.
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

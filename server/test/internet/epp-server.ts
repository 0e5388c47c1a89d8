/**
 * A registry of the loopback internet that speaks EPP over TLS (RFC 5730, 5731, 5734, with the fees of RFC 8748) to
 * clients with a certificate of its authority, and can be made to do so badly. Written from the documents and not from
 * our client: it reads commands by pattern, so that a mistake in our XML reader is not made twice.
 */
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import type { Certificate } from '../certificate.ts'
import { readPair, withEntityBomb } from './registrar-server.ts'
import { LOGIN } from './registrar-dialects.ts'
import { rowsOf, twist, TWISTS } from './registrar-world.ts'
import type { RegistrarWorld, Row } from './registrar-world.ts'

export const EPP_MOODS = [
  'well',
  'slow',
  'silent',
  'no greeting',
  'login refused',
  'another transaction',
  'no fees',
  'no classes',
  'failed',
  'too many',
  'hangs up',
  'html',
  'empty',
  'cut off',
  'huge frame',
  'short frame',
  'not utf-8',
  'two at once',
  'entity bomb',
  'bad certificate',
  ...TWISTS,
] as const
export type EppMood = (typeof EPP_MOODS)[number]

export interface EppServer extends AsyncDisposable {
  readonly port: number
  readonly seen: { sessions: number; logins: number; checks: number; logouts: number }
  be(mood: EppMood): void
}

export interface EppServerOptions {
  readonly world: RegistrarWorld
  readonly certificate: Certificate
  readonly stranger: Certificate
}

const EPP_SLOW_MS = 400
const NS = 'urn:ietf:params:xml:ns'
const GREETING =
  `<greeting><svID>Test registry</svID><svDate>2026-01-01T00:00:00.0Z</svDate><svcMenu><version>1.0</version>` +
  `<lang>en</lang><objURI>${NS}:domain-1.0</objURI><objURI>${NS}:contact-1.0</objURI>` +
  `<svcExtension><extURI>${NS}:epp:fee-1.0</extURI></svcExtension></svcMenu></greeting>`

export async function openEppServer({ world, certificate, stranger }: EppServerOptions): Promise<EppServer> {
  const seen = { sessions: 0, logins: 0, checks: 0, logouts: 0 }
  const sockets = new Set<TLSSocket>()
  let mood: EppMood = 'well'

  async function answer(socket: TLSSocket, command: string): Promise<void> {
    const trid = /<clTRID>([^<]*)<\/clTRID>/.exec(command)?.[1] ?? ''
    const respond = (code: number, inside = '') => socket.write(frame(epp(response(code, trid, inside))))
    if (command.includes('<login>')) {
      seen.logins += 1
      const isRight = command.includes(`<clID>${LOGIN.user}</clID><pw>${LOGIN.secret}</pw>`)
      return void respond(isRight && mood !== 'login refused' ? 1000 : 2200)
    }
    if (command.includes('<logout/>')) {
      seen.logouts += 1
      respond(1500)
      return void socket.end()
    }
    seen.checks += 1
    const names = [...command.matchAll(/<domain:name>([^<]*)<\/domain:name>/g)].map(([, name]) => name ?? '')
    const truth = rowsOf(world, names)
    const how = TWISTS.find((one) => one === mood)
    const rows = how === undefined ? truth : twist(truth, how)
    const wantsFees = command.includes('<fee:check') && mood !== 'no fees'
    const data = domainData(rows) + (wantsFees ? feeData(rows, mood !== 'no classes') : '')
    const right = epp(response(1000, trid, data))
    switch (mood) {
      case 'silent':
        return
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, EPP_SLOW_MS))
        break
      case 'another transaction':
        return void socket.write(frame(epp(response(1000, 'somebody-else', data))))
      case 'failed':
        return void respond(2400)
      case 'too many':
        return void respond(2502)
      case 'hangs up':
        return void socket.end(frame(right).subarray(0, 40))
      case 'html':
        return void socket.write(frame('<html><p>Not here</html>'))
      case 'empty':
        return void socket.write(frame(''))
      case 'cut off':
        return void socket.write(frame(right.slice(0, right.length / 2)))
      case 'huge frame':
        return void socket.write(Buffer.concat([Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from(right)]))
      case 'short frame':
        return void socket.write(Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from(right)]))
      case 'not utf-8':
        return void socket.write(frame(Buffer.concat([Buffer.from(right), Buffer.from([0xc3, 0x28])])))
      case 'two at once':
        return void socket.write(Buffer.concat([frame(right), frame(right), frame(right)]))
      case 'entity bomb':
        return void socket.write(frame(withEntityBomb(right)))
      default:
    }
    if (!socket.destroyed) socket.write(frame(right))
  }

  const server = createServer(
    { ...readPair(certificate), ca: certificate.ca, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      seen.sessions += 1
      sockets.add(socket)
      let held = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      if (mood !== 'no greeting') socket.write(frame(epp(GREETING)))
      socket.on('data', (chunk: Buffer) => {
        held = Buffer.concat([held, chunk])
        while (held.length >= 4 && held.length >= held.readUInt32BE(0)) {
          const length = held.readUInt32BE(0)
          void answer(socket, held.toString('utf8', 4, length))
          held = held.subarray(length)
        }
      })
    },
  )
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    port: (server.address() as AddressInfo).port,
    seen,
    be(next) {
      mood = next
      const pair = readPair(next === 'bad certificate' ? stranger : certificate)
      server.setSecureContext({ ...pair, ca: certificate.ca })
    },
    [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function frame(message: string | Buffer): Buffer {
  const body = Buffer.from(message)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(body.length + 4)
  return Buffer.concat([header, body])
}

function epp(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<epp xmlns="${NS}:epp-1.0">${inside}</epp>`
}

function response(code: number, trid: string, inside: string): string {
  const ids = `<trID><clTRID>${trid}</clTRID><svTRID>SRV-1</svTRID></trID>`
  return `<response><result code="${code}"><msg lang="en">Said &amp; done</msg></result>${inside}${ids}</response>`
}

function domainData(rows: readonly Row[]): string {
  const data = rows.map((row) => {
    const isFree = row.kind === 'available' || row.kind === 'premium'
    const reason = row.kind === 'reserved' ? 'Reserved name' : 'In use'
    const why = isFree ? '' : `<domain:reason>${reason}</domain:reason>`
    return `<domain:cd><domain:name avail="${isFree ? 1 : 0}">${row.name}</domain:name>${why}</domain:cd>`
  })
  return `<resData><domain:chkData xmlns:domain="${NS}:domain-1.0">${data.join('')}</domain:chkData></resData>`
}

function feeData(rows: readonly Row[], withClasses: boolean): string {
  const data = rows.map((row) => {
    const name = row.kind === 'premium' ? 'premium-tier-3' : 'standard'
    const fee = Number.isNaN(row.price) ? '' : `<fee:fee description="Fee">${row.price.toFixed(2)}</fee:fee>`
    const commands = ['create', 'renew'].map(
      (command) => `<fee:command name="${command}"><fee:period unit="y">1</fee:period>${fee}</fee:command>`,
    )
    const kind = withClasses ? `<fee:class>${name}</fee:class>` : ''
    return `<fee:cd avail="1"><fee:objID>${row.name}</fee:objID>${kind}${commands.join('')}</fee:cd>`
  })
  const currency = `<fee:currency>${rows[0]?.currency ?? 'USD'}</fee:currency>`
  return `<extension><fee:chkData xmlns:fee="${NS}:epp:fee-1.0">${currency}${data.join('')}</fee:chkData></extension>`
}

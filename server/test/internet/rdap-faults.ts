/** Every way in which an RDAP server is known to answer wrongly, or not at all. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

export interface RdapQuery {
  readonly at: number
  readonly method: string
  /** As the client named it. */
  readonly host: string
  readonly domain: string
}

export type Fault = (typeof FAULTS)[number] | { readonly status: number; readonly retryAfter?: string }

export const FAULTS = [
  'slow',
  'silent',
  'hang_up',
  'denies_all', // 404 for registered names
  'invents_all', // 200 for free ones
  'other_name',
  'html',
  'html_404',
  'empty',
  'bad_json',
  'deep_json',
  'not_a_domain',
  'gzip_bomb',
  'huge',
  'huge_in_chunks',
  'redirect',
  'head_denies_all', // GET is right
  'trickle',
] as const

export const SLOW_MS = 800

interface Situation {
  readonly response: ServerResponse
  readonly domain: string
  readonly isThere: boolean
  readonly answerRightly: (response: ServerResponse, domain: string, isThere: boolean) => void
}

const RDAP = { 'content-type': 'application/rdap+json' }
const PAGE = '<!doctype html><title>Welcome</title>'
const BOMB = gzipSync(Buffer.alloc(20_000_000))
const HUGE = 10_000_000

export function misbehave(fault: Fault, { response, domain, isThere, answerRightly }: Situation): void {
  const found = (body: string | Buffer, headers: Record<string, string> = {}) =>
    void response.writeHead(200, { ...RDAP, ...headers }).end(body)
  if (typeof fault === 'object') {
    const headers = fault.retryAfter === undefined ? RDAP : { ...RDAP, 'retry-after': fault.retryAfter }
    response.writeHead(fault.status, headers).end('{}')
    return
  }
  switch (fault) {
    case 'slow':
      setTimeout(() => answerRightly(response, domain, isThere), SLOW_MS)
      return
    case 'silent':
      return
    case 'hang_up':
      response.socket?.destroy()
      return
    case 'denies_all':
      return answerRightly(response, domain, false)
    case 'invents_all':
      return answerRightly(response, domain, true)
    case 'other_name':
      return found(JSON.stringify({ objectClassName: 'domain', ldhName: `not-${domain}` }))
    case 'html':
      return found(PAGE, { 'content-type': 'text/html' })
    case 'html_404':
      response.writeHead(404, { 'content-type': 'text/html' }).end(PAGE)
      return
    case 'empty':
      return found('')
    case 'bad_json':
      return found(`{"objectClassName":"domain","ldhName":"${domain}"`)
    case 'deep_json':
      return found(`{"objectClassName":"domain","ldhName":"${domain}","x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)
    case 'not_a_domain':
      return found(JSON.stringify({ objectClassName: 'entity', ldhName: domain }))
    case 'gzip_bomb':
      return found(BOMB, { 'content-encoding': 'gzip' })
    case 'huge':
      response.writeHead(200, { ...RDAP, 'content-length': String(HUGE) })
      return pour(response, HUGE)
    case 'huge_in_chunks':
      response.writeHead(200, RDAP)
      return pour(response, HUGE)
    case 'redirect':
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
      return
    case 'head_denies_all':
      return answerRightly(response, domain, response.req.method !== 'HEAD' && isThere)
    case 'trickle':
      response.writeHead(200, RDAP)
      return trickle(response)
    default:
      throw new Error(`unknown fault: ${String(fault satisfies never)}`)
  }
}

function pour(response: ServerResponse, left: number): void {
  if (left <= 0 || response.destroyed) return void response.end()
  const piece = Buffer.alloc(Math.min(left, 16_384), ' ')
  response.write(piece, () => pour(response, left - piece.length))
}

/** Never silent for long, and never done. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

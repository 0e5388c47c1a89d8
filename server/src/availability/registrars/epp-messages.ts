/** Writes the EPP messages we use (RFC 5730, 5731, 8748), and reads the outer structure of responses. */
import type { Element } from './xml.ts'
import { childOf, childrenOf, escapeXml, findXml } from './xml.ts'

export const EPP = 'urn:ietf:params:xml:ns:epp-1.0'
export const DOMAIN = 'urn:ietf:params:xml:ns:domain-1.0'
export const FEE = 'urn:ietf:params:xml:ns:epp:fee-1.0'

export interface Greeting {
  readonly objects: ReadonlySet<string>
  readonly extensions: ReadonlySet<string>
}

export interface Response {
  /** RFC 5730 §3: 1xxx is success, 2xxx is failure, 25xx also ends the session. */
  readonly code: number
  readonly clTrid: string | undefined
  readonly element: Element
}

export function writeLogin(options: { clientId: string; password: string; withFees: boolean; clTrid: string }): string {
  const { clientId, password, withFees, clTrid } = options
  const extension = withFees ? `<svcExtension><extURI>${FEE}</extURI></svcExtension>` : ''
  return writeCommand(
    `<login><clID>${escapeXml(clientId)}</clID><pw>${escapeXml(password)}</pw>` +
      `<options><version>1.0</version><lang>en</lang></options>` +
      `<svcs><objURI>${DOMAIN}</objURI>${extension}</svcs></login>`,
    clTrid,
  )
}

export function writeCheck(options: { domains: readonly string[]; withFees: boolean; clTrid: string }): string {
  const { domains, withFees, clTrid } = options
  const names = domains.map((domain) => `<domain:name>${escapeXml(domain)}</domain:name>`).join('')
  const year = '<fee:period unit="y">1</fee:period>'
  // No currency: if we named one, a server that bills in another would have to reject the whole command.
  const fees = ['create', 'renew'].map((name) => `<fee:command name="${name}">${year}</fee:command>`).join('')
  const extension = withFees ? `<extension><fee:check xmlns:fee="${FEE}">${fees}</fee:check></extension>` : ''
  return writeCommand(
    `<check><domain:check xmlns:domain="${DOMAIN}">${names}</domain:check></check>${extension}`,
    clTrid,
  )
}

export function writeLogout(clTrid: string): string {
  return writeCommand('<logout/>', clTrid)
}

export function findGreeting(text: string): Greeting | undefined {
  const greeting = findMessage(text, 'greeting')
  const menu = greeting && childOf(greeting, EPP, 'svcMenu')
  if (menu === undefined) return undefined
  const extension = childOf(menu, EPP, 'svcExtension')
  return {
    objects: new Set(childrenOf(menu, EPP, 'objURI').map(({ text: uri }) => uri.trim())),
    extensions: new Set(extension && childrenOf(extension, EPP, 'extURI').map(({ text: uri }) => uri.trim())),
  }
}

export function findResponse(text: string): Response | undefined {
  const element = findMessage(text, 'response')
  // A failure may have several results; the first that is not a success decides.
  const codes = element ? childrenOf(element, EPP, 'result').map((result) => codeOf(result)) : []
  const code = codes.find((one) => one >= 2000) ?? codes[0]
  if (element === undefined || code === undefined || codes.some(Number.isNaN)) return undefined
  const ids = childOf(element, EPP, 'trID')
  return { code, clTrid: ids && childOf(ids, EPP, 'clTRID')?.text, element }
}

function writeCommand(inside: string, clTrid: string): string {
  const command = `<command>${inside}<clTRID>${clTrid}</clTRID></command>`
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?><epp xmlns="${EPP}">${command}</epp>`
}

function findMessage(text: string, name: string): Element | undefined {
  const root = findXml(text)
  return root?.space === EPP && root.name === 'epp' ? childOf(root, EPP, name) : undefined
}

function codeOf(result: Element): number {
  const code = result.attributes.get('code') ?? ''
  return /^[12]\d{3}$/.test(code) ? Number(code) : Number.NaN
}

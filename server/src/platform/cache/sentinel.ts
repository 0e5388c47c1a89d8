/**
 * Parses the URL of a Redis with sentinels:
 *
 *   sentinel://[user:password@]host[:port][,host[:port]…]/NAME[/database][?sentinel-password=…]
 *
 * NAME is the sentinels' name of the master. User and password belong to Redis; the sentinels' own password, if any, is
 * in the query. `sentinels://` is the same with TLS, to both.
 */
export interface Sentinels {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly name: string
  readonly database: number
  readonly username: string
  readonly password: string
  readonly sentinelPassword: string
  readonly tls: boolean
}

const FORM = /^(sentinels?):\/\/(?:([^@/]*)@)?([^/@?#]+)\/([\w.-]+)(?:\/(\d{1,4}))?(?:\?sentinel-password=([^&#]+))?$/
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i
const USUAL_PORT = 26_379

export function isSentinelUrl(text: string): boolean {
  return /^sentinels?:/.test(text)
}

/** Throws an Error whose message completes "… must be". */
export function parseSentinels(text: string): Sentinels {
  const wanted = 'sentinel://host:port,host:port/NAME'
  const [, scheme, login = '', places = '', name = '', database = '0', sentinelPassword = ''] = FORM.exec(text) ?? []
  if (name === '') throw new Error(wanted)
  const [username = '', password = ''] = login.split(':')
  const hosts = places.split(',').map((place) => {
    const [, host = '', port = String(USUAL_PORT)] = HOST.exec(place.trim()) ?? []
    if (host === '' || Number(port) < 1 || Number(port) > 65_535) throw new Error(wanted)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  })
  return {
    hosts,
    name,
    database: Number(database),
    username: decoded(username, wanted),
    password: decoded(password, wanted),
    sentinelPassword: decoded(sentinelPassword, wanted),
    tls: scheme === 'sentinels',
  }
}

function decoded(part: string, wanted: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error(wanted)
  }
}

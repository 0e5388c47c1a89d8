/**
 * Protection against DNS rebinding: refuses requests that a foreign page sends through a visitor's browser, whatever
 * name it has given to our address. Runs before the credential is checked.
 *
 * Only browsers send an Origin, and it must be ours. The Host must be the name in our public address, or one that no
 * stranger can make point to us. That is an IP address, or a name without a dot, as used by the machine itself, a
 * container or a proxy beside us.
 */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accept only requests to our own address, and from no page but our own. */
    ownAddress?: true
  }
}

export function createAddressCheck({ config: { publicUrl } }: Pick<Context, 'config'>) {
  const ours = publicUrl === '' ? undefined : new URL(publicUrl)

  return async function checkAddress(request: FastifyRequest): Promise<void> {
    if (request.routeOptions.config.ownAddress !== true) return
    const { origin } = request.headers
    if (origin !== undefined && origin !== ours?.origin) throw new ApiError('cross_site')
    const name = nameOf(request.host)
    if (name === undefined || !(name === ours?.hostname || isNobodys(name))) throw new ApiError('wrong_host')
  }
}

/** The host without port and final dot; undefined if there is none. Only HTTP/1.0 may omit it, and no browser does. */
function nameOf(host: string): string | undefined {
  if (host === '') return 'localhost'
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}

function isNobodys(name: string): boolean {
  return !name.includes('.') || isIP(name) !== 0
}

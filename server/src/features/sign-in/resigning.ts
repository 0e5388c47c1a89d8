/**
 * Supports several service secrets at once: Better Auth signs and verifies cookies with the current one only. A cookie
 * signed with another accepted secret is signed again on its way in, so that a rotation signs nobody out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export function createResigning(secrets: readonly string[], cookiePrefix: string) {
  const [current = '', ...accepted] = secrets

  function resignedCookie(pair: string): string {
    const [name = '', ...rest] = pair.split('=')
    const text = decoded(rest.join('='))
    const dot = text.lastIndexOf('.')
    if (!name.startsWith(cookiePrefix) || dot < 1) return pair
    const [value, signature] = [text.slice(0, dot), text.slice(dot + 1)]
    const isOld = accepted.some((secret) => isEqual(signature, macOf(secret, value)))
    return isOld ? `${name}=${encodeURIComponent(`${value}.${macOf(current, value)}`)}` : pair
  }

  function headers(given: Headers): Headers {
    const cookies = given.get('cookie')
    if (accepted.length === 0 || cookies === null) return given
    const resigned = new Headers(given)
    resigned.set('cookie', cookies.split(/; */).map(resignedCookie).join('; '))
    return resigned
  }

  return {
    headers,

    request(request: Request): Request {
      if (accepted.length === 0) return request
      return new Request(request, { headers: headers(request.headers) })
    },
  }
}

function macOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64')
}

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Client ID Metadata Documents: a client whose id is an https URL is described by the document there, so that an
 * agent can introduce itself without registering (draft-ietf-oauth-client-id-metadata-document, the way MCP prefers).
 *
 * The URL comes from a stranger, so it is fetched the one way that cannot reach a private address, follow a redirect
 * or read more than a few kilobytes. The document must name its own URL, offer no shared secret, and send people back
 * only to its own origin or to their own machine. It is read again after an hour; a document that has become wrong
 * ends the client.
 */
import { oauthClientMetadataSchema } from '@better-auth/oauth-provider'
import type { ClientDiscovery, OAuthClient, OAuthOptions, SchemaClient } from '@better-auth/oauth-provider'
import { registerClientMetadataDocument } from '@better-auth/oauth-provider/internal'
import { shownName } from '../model/shown-name.ts'
import type { OutboundAnswer, OutboundRequest } from '../outbound.ts'

export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>

const DISCOVERY = 'document'
const MOST_BYTES = 8 * 1024
const TIMEOUT_MS = 5_000
const FRESH_MS = 3_600_000
// A refusal is remembered too, so that a wrong id cannot make us fetch at every try.
const REFUSED_MS = 60_000
const MOST_REMEMBERED = 1_000

export function clientDocuments({ send, now }: { send: Send; now: () => number }): {
  discovery: ClientDiscovery
  /** The provider's resolved options exist only after the provider does. */
  use: (options: OAuthOptions<string[]>) => void
} {
  const checkedAt = new Map<string, { at: number; ok: boolean }>()
  let provider: OAuthOptions<string[]> | undefined

  const remember = (clientId: string, ok: boolean) => {
    checkedAt.delete(clientId)
    checkedAt.set(clientId, { at: now(), ok })
    if (checkedAt.size > MOST_REMEMBERED) checkedAt.delete(checkedAt.keys().next().value ?? clientId)
  }

  const discovery: ClientDiscovery = {
    id: DISCOVERY,
    matches: isDocumentUrl,
    discoveryMetadata: { client_id_metadata_document_supported: true },
    async resolve(ctx, clientId, existing): Promise<SchemaClient<string[]> | null> {
      const last = checkedAt.get(clientId)
      if (last && now() - last.at < (last.ok ? FRESH_MS : REFUSED_MS)) return last.ok ? existing : null
      const metadata = await fetchDocument(send, clientId)
      // One that cannot be read just now is no worse than it was an hour ago; one that is wrong ends the client.
      const isAway = metadata === 'away' && existing !== null
      remember(clientId, isAway)
      if (isAway) return existing
      if (!metadata || metadata === 'away' || !provider) return null
      const registration = {
        clientId,
        clientDiscoveryId: DISCOVERY,
        metadata,
        ...(existing ? { existingClient: existing } : {}),
      }
      const { client } = await registerClientMetadataDocument(ctx, provider, registration)
      remember(clientId, true)
      return client
    },
  }
  return {
    discovery,
    use(options) {
      provider = options
    },
  }
}

/** An https URL with a path and nothing clever in it. */
export function isDocumentUrl(clientId: string): boolean {
  if (!/^https:\/\/[^/?#\\]+\/[^?#\\]+$/.test(clientId) || !URL.canParse(clientId)) return false
  const url = new URL(clientId)
  // What the parser would change (dot segments, upper case, a default port) could be two ids for one document.
  return url.href === clientId && url.username === '' && url.password === ''
}

async function fetchDocument(send: Send, url: string): Promise<OAuthClient | 'away' | undefined> {
  const answer = await send({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    maxBytes: MOST_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (answer.kind !== 'answer' || answer.status >= 500) return 'away'
  if (answer.status !== 200) return undefined
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(answer.headers['content-type'] ?? '')) return undefined
  return parseDocument(url, answer.body.toString('utf8'))
}

export function parseDocument(url: string, text: string): OAuthClient | undefined {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof raw !== 'object' || raw === null || 'client_secret' in raw) return undefined
  const parsed = oauthClientMetadataSchema.strip().safeParse(raw)
  if (!parsed.success) return undefined
  const { client_id, redirect_uris = [], token_endpoint_auth_method = 'none' } = parsed.data
  const isOurs = client_id === url && token_endpoint_auth_method === 'none'
  if (!isOurs || redirect_uris.length === 0 || !redirect_uris.every((uri) => returnsHome(uri, url))) return undefined
  const { client_name, client_uri } = parsed.data
  return {
    ...(client_name ? { client_name: shownName(client_name) } : {}),
    // What may become a link on somebody's page.
    ...(client_uri && /^https?:\/\//i.test(client_uri) ? { client_uri } : {}),
    client_id,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

/** To the document's own origin, or to the person's own machine (RFC 8252 §7.3). */
function returnsHome(uri: string, document: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname, origin } = new URL(uri)
  if (origin === new URL(document).origin) return true
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

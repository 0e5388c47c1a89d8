/**
 * Client ID Metadata Documents: a client whose id is an https URL is described by the document at that URL, so that an
 * agent can identify itself without registering (draft-ietf-oauth-client-id-metadata-document, the method MCP prefers).
 *
 * The URL is untrusted. The fetch cannot reach a private address, follow a redirect or read more than a few kilobytes.
 * A document is fetched only when a person is about to be asked for consent (`authorize`), with rate limits per caller
 * address and per host: otherwise anybody could make the service send requests to others. The document must name its
 * own URL, offer no shared secret, and redirect only to its own origin or to the person's own machine. It is fetched
 * again after an hour. An invalid document disables the client, and a valid one enables it again.
 */
import {
  oauthClientMetadataSchema,
  type ClientDiscovery,
  type OAuthClient,
  type OAuthOptions,
  type SchemaClient,
} from '@better-auth/oauth-provider'
import { registerClientMetadataDocument } from '@better-auth/oauth-provider/internal'
import { APIError } from 'better-auth/api'
import { LRUCache } from 'lru-cache'
import { shownName } from '../../model/shown-name.ts'
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { ADDRESS_HEADER } from '../../http/settings/session-auth.ts'

type ResolveContext = Parameters<ClientDiscovery['resolve']>[0]

export type FetchDocument = (request: OutboundRequest) => Promise<OutboundAnswer>

const DISCOVERY = 'document'
const MAX_BYTES = 8 * 1024
const TIMEOUT_MS = 5_000
const FRESH_MS = 3_600_000
// A refusal is cached too, so that an invalid id does not cause a fetch at every try.
const REFUSED_MS = 60_000
const MAX_REMEMBERED = 1_000

/** The only endpoint that may fetch a document; the others accept only stored clients. */
const FETCHING = '/oauth2/authorize'

/** Whether the rate limits allow one more fetch from this host for this caller address. */
export type DocumentLimit = (fetching: { readonly host: string; readonly address: string }) => Promise<boolean>

export function clientDocuments({
  send,
  limit,
  now,
}: {
  send: FetchDocument
  limit: DocumentLimit
  now: () => number
}): {
  discovery: ClientDiscovery
  /** The provider's resolved options exist only after the provider is created. */
  use: (options: OAuthOptions<string[]>) => void
} {
  const checkedAt = new LRUCache<string, { at: number; ok: boolean }>({ max: MAX_REMEMBERED })
  let provider: OAuthOptions<string[]> | undefined

  const remember = (clientId: string, ok: boolean) => checkedAt.set(clientId, { at: now(), ok })

  const discovery: ClientDiscovery = {
    id: DISCOVERY,
    matches: isDocumentUrl,
    discoveryMetadata: { client_id_metadata_document_supported: true },
    async resolve(ctx, clientId, existing): Promise<SchemaClient<string[]> | null> {
      if (ctx.path !== FETCHING) return existing
      const last = checkedAt.get(clientId)
      if (last && now() - last.at < (last.ok ? FRESH_MS : REFUSED_MS)) return last.ok ? existing : null
      const address = ctx.headers?.get(ADDRESS_HEADER) ?? ''
      if (!(await limit({ host: new URL(clientId).hostname, address }))) {
        throw new APIError('TOO_MANY_REQUESTS', {
          error: 'temporarily_unavailable',
          error_description: 'too many client metadata documents were requested from this host or by this client',
        })
      }
      const metadata = await fetchDocument(send, clientId)
      // An unreachable document leaves the client as it was an hour ago; an invalid one disables it.
      const isUnreachable = metadata === 'away' && existing !== null
      remember(clientId, isUnreachable)
      if (isUnreachable) return existing
      if (!metadata || metadata === 'away' || !provider) {
        if (existing && !existing.disabled) await setDisabled(ctx, clientId, true)
        return null
      }
      const registration = {
        clientId,
        clientDiscoveryId: DISCOVERY,
        metadata,
        ...(existing ? { existingClient: existing } : {}),
      }
      const { client } = await registerClientMetadataDocument(ctx, provider, registration)
      remember(clientId, true)
      if (!client.disabled) return client
      await setDisabled(ctx, clientId, false)
      return { ...client, disabled: false }
    },
  }
  return {
    discovery,
    use(options) {
      provider = options
    },
  }
}

async function setDisabled(ctx: ResolveContext, clientId: string, disabled: boolean): Promise<void> {
  const where = [{ field: 'clientId', value: clientId }]
  await ctx.context.adapter.update({ model: 'oauthClient', where, update: { disabled } })
}

/** An https URL with a path, in canonical form. */
export function isDocumentUrl(clientId: string): boolean {
  if (!/^https:\/\/[^/?#\\]+\/[^?#\\]+$/.test(clientId) || !URL.canParse(clientId)) return false
  const url = new URL(clientId)
  // Parts that the parser would change (dot segments, upper case, a default port) would allow two ids for one document.
  return url.href === clientId && url.username === '' && url.password === ''
}

async function fetchDocument(send: FetchDocument, url: string): Promise<OAuthClient | 'away' | undefined> {
  const answer = await send({
    url,
    method: 'GET',
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
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
    // Only a URL that is safe as a link on a page.
    ...(client_uri && /^https?:\/\//i.test(client_uri) ? { client_uri } : {}),
    client_id,
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

/** Redirects only to the document's own origin, or to the person's own machine (RFC 8252 §7.3). */
function returnsHome(uri: string, document: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname, origin } = new URL(uri)
  if (origin === new URL(document).origin) return true
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

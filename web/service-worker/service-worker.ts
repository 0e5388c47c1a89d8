/**
 * The app opens without a network: the page and its files are kept as they are fetched. What the service says is never kept
 * here, because a verdict of yesterday would be a lie.
 */
declare const self: ServiceWorkerGlobalScope

const SHELL = 'namewright-shell-1'

/** As much of the static routes as is used; not every browser has them. */
export interface Routing {
  addRoutes?(routes: readonly object[]): Promise<void>
}

self.addEventListener('install', (event: ExtendableEvent & Routing) => {
  // What a page sends while it is being closed is lost on the way through here; so nothing that changes something goes it.
  const changes = { condition: { not: { requestMethod: 'GET' } }, source: 'network' }
  event.waitUntil(event.addRoutes?.([changes]) ?? Promise.resolve())
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(['/', '/manifest.webmanifest', '/favicon.svg'])))
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name)
    await self.clients.claim()
  }
  event.waitUntil(old())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && isOurs(pathname)) event.respondWith(pageOf(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(assetOf(request))
})

/** The manual and the plain pages are the service's own. */
function isOurs(pathname: string): boolean {
  return /^\/(?:$|history$|favorites$|welcome$|[rs]\/|settings(?:\/|$)|operator$)/.test(pathname)
}

async function pageOf(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put('/', answer.clone())
    return answer
  } catch {
    return (await cache.match('/')) ?? Response.error()
  }
}

/** Named by their content: what is kept is right for ever. */
async function assetOf(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

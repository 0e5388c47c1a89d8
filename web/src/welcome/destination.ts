/** Where somebody wanted to go when they were asked to sign in: a path of ours, or nothing. */
export function parseDestination(search: string): string | undefined {
  const to = new URLSearchParams(search).get('to')
  if (to === null || !to.startsWith('/') || !URL.canParse(to, location.origin)) return undefined
  const { origin, pathname, search: query, hash } = new URL(to, location.origin)
  // Coming back here would go round in circles.
  return origin === location.origin && pathname !== '/welcome' ? `${pathname}${query}${hash}` : undefined
}

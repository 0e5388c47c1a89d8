/** From and until when, by a few plain choices. Whole days of the reader, so that the same choice is the same question. */
export const WHENS = ['any', 'today', 'week', 'month', 'older'] as const
export type When = (typeof WHENS)[number]

export function isWhen(text: string): text is When {
  return WHENS.some((when) => when === text)
}

export function rangeOf(when: When, now: Date): { readonly since?: string; readonly until?: string } {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString()
  switch (when) {
    case 'any':
      return {}
    case 'today':
      return { since: daysAgo(0) }
    case 'week':
      return { since: daysAgo(6) }
    case 'month':
      return { since: daysAgo(29) }
    case 'older':
      return { until: daysAgo(29) }
  }
}

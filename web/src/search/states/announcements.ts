/** What screen readers announce during a search: start, progress and result. */
import { useEffect } from 'react'
import { say } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { stateOf, suffixOf } from '../result.ts'
import type { Search } from '../search-store.ts'

export function useAnnouncements(search: Search | undefined): void {
  const { phase, wanted = 0, results = [] } = search ?? {}
  const count = results.length
  const ending = search?.phase === 'done' ? endOf(search) : undefined
  useEffect(() => {
    if (phase === 'asking') announce(say('search.announceStart'))
  }, [phase])
  useEffect(() => {
    if (phase === 'asking' && count > 0)
      announce(say('search.announceSoFar', { count: Math.min(count, wanted), wanted }))
  }, [phase, count, wanted])
  useEffect(() => {
    if (ending !== undefined) announce(ending)
  }, [ending])
}

/** Counted by the suffix that was asked for first, which matters most to people. */
export function endOf({ results }: Search): string {
  const first = results[0]?.domains[0]?.domain
  if (first === undefined) return say('search.announceNone')
  const suffix = suffixOf(first)
  const free = results.filter(({ domains }) =>
    domains.some((entry) => suffixOf(entry.domain) === suffix && stateOf(entry) === 'free'),
  ).length
  return say('search.announceEnd', { count: results.length, free, suffix })
}

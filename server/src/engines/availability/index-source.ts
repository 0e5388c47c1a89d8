/**
 * The index of registered names (`@namewright/zone-index`) as a source of evidence: a listed name is registered, and any
 * other is left out.
 */
import { openZoneIndex, type ZoneIndex, type ZoneIndexOptions } from '@namewright/zone-index'
import type { Domain } from '../../model/domain.ts'
import { findSureName, type RegisteredNames } from './control-names.ts'
import type { Evidence, EvidenceSource } from './evidence.ts'
import { createLookups, type LookupCounts } from './verdict-cache.ts'
import { createTrustRecord, type SourceTrust } from './trust.ts'

export interface IndexSource extends EvidenceSource, Pick<ZoneIndex, 'refresh' | 'suffixes' | 'believed' | 'close'> {
  lookups(): LookupCounts
  trust(): SourceTrust
}

interface IndexSourceOptions extends Omit<ZoneIndexOptions, 'knownName' | 'onState'> {
  readonly registeredIn: RegisteredNames
  readonly onTrust: (trust: SourceTrust) => void
}

export async function openIndexSource({ registeredIn, onTrust, ...options }: IndexSourceOptions): Promise<IndexSource> {
  const { now } = options
  const record = createTrustRecord(now, onTrust)
  const lookups = createLookups(now)
  const index = await openZoneIndex({
    ...options,
    knownName: (suffix) => findSureName(registeredIn, suffix),
    onState: (state, why) => record.set(state, why),
  })
  return {
    name: 'index',
    async ask(domains, signal) {
      const found = new Map<Domain, Evidence>()
      if (signal.aborted) return found
      const at = now()
      for (const domain of domains) {
        const ttlMs = index.registeredMs(domain, at)
        if (ttlMs !== undefined) found.set(domain, { domain, source: 'index', says: 'registered', at, ttlMs })
      }
      return lookups.note(domains, found)
    },
    lookups: () => lookups.read(),
    trust: () => record.read(),
    refresh: () => index.refresh(),
    believed: () => index.believed(),
    suffixes: () => index.suffixes(),
    close: () => index.close(),
  }
}

/**
 * Limits how often client metadata documents are fetched, per caller address and per host. Without the limits a caller
 * could make the service flood one host with many ids, or send requests to many hosts.
 */
import { addressSubject, type Limits } from '../../platform/limits/limits.ts'

// An agent has one document, which a node reads once an hour.
const BY_ADDRESS = { name: 'client-document', perHour: 30, burst: 10 }
const FROM_HOST = { name: 'client-document-host', perHour: 120, burst: 20 }

export function createDocumentLimit(limits: Limits) {
  return async ({ host, address }: { readonly host: string; readonly address: string }): Promise<boolean> => {
    const byAddress = await limits.take([{ ...BY_ADDRESS, subject: addressSubject(address) }])
    // A caller that is already over its limit must not use up the host's limit for others.
    return byAddress.allowed && (await limits.take([{ ...FROM_HOST, subject: host }])).allowed
  }
}

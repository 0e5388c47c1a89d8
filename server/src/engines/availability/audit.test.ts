import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import type { Verdict } from '../../model/verdict.ts'
import { createAudit } from './audit.ts'
import type { Evidence, EvidenceSource, Says } from './evidence.ts'

function told(domain: string, sources: string[]): Verdict {
  return {
    domain: domain as Domain,
    status: 'available',
    confidence: 'definitive',
    sources,
    checkedAt: 0,
    expiresAt: 1,
  }
}

function source(name: string, answers: Record<string, Says>): EvidenceSource & { asked: string[] } {
  const asked: string[] = []
  return {
    name,
    asked,
    async ask(domains) {
      asked.push(...domains)
      const known = domains.filter((domain) => domain in answers)
      return new Map(
        known.map((domain): [Domain, Evidence] => [
          domain,
          { domain, source: name, says: answers[domain] ?? 'unknown', at: 0, ttlMs: 1 },
        ]),
      )
    },
  }
}

test('what was told is asked again later, of others than those who were believed, and counted', async () => {
  let now = 0
  const dns = source('dns', { 'right.com': 'absent', 'wrong.com': 'registered' })
  const vercel = source('vercel', { 'right.com': 'available', 'wrong.com': 'available' })
  const audit = createAudit({ sources: [dns, vercel], now: () => now, random: () => 0 })
  for (const domain of ['right.com', 'wrong.com', 'silent.com']) audit.note(told(domain, ['vercel']))
  await audit.ask()
  expect([...dns.asked, ...vercel.asked]).toEqual([])
  now = 3_600_000
  await audit.ask()
  expect(dns.asked).toEqual(['right.com', 'wrong.com', 'silent.com'])
  expect(vercel.asked).toEqual([])
  expect(audit.tallies()).toEqual([{ suffix: 'com', source: 'vercel', confirmed: 1, contradicted: 1, unanswered: 1 }])
  await audit.ask()
  expect(dns.asked).toHaveLength(3)
  audit.close()
})

test('one in a hundred is taken into the sample, and never more than a thousand wait', async () => {
  let now = 0
  const dns = source('dns', {})
  let draw = 0
  const audit = createAudit({ sources: [dns], now: () => now, random: () => (draw++ % 100) / 100 })
  for (let i = 0; i < 20_000; i++) audit.note(told(`n${i}.com`, ['rdap']))
  now = 4_000_000
  await audit.ask()
  expect(dns.asked).toHaveLength(200)
  const all = createAudit({ sources: [dns], now: () => now, random: () => 0 })
  for (let i = 0; i < 5_000; i++) all.note(told(`m${i}.com`, ['rdap']))
  now += 4_000_000
  await all.ask()
  expect(dns.asked).toHaveLength(1_200)
  audit.close()
  all.close()
})

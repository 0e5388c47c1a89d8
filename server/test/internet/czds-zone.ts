/** A zone file as CZDS hands it out: names in order, two name servers each, and the records that stand around them. */
import { gzipSync } from 'node:zlib'

export function zoneText(suffix: string, labels: readonly string[]): string {
  const soa = `${suffix}.\t900\tin\tsoa\tns.registry.test. hostmaster.registry.test. 1 7200 900 604800 900`
  const records = labels.toSorted().flatMap((label) => {
    const name = `${label}.${suffix}.`
    return [
      `${name}\t86400\tin\tds\t1234 13 2 0123456789abcdef`,
      `${name}\t86400\tin\tns\tns1.hosting.test.`,
      `${name}\t86400\tin\tns\tns2.hosting.test.`,
      `${name}\t86400\tin\trrsig\tds 13 2 86400 20260801000000 20260701000000 1 ${suffix}. c2ln`,
      `ns1.${name}\t86400\tin\ta\t192.0.2.1`,
    ]
  })
  return [soa, `${suffix}.\t86400\tin\tns\tns.registry.test.`, ...records, soa, ''].join('\n')
}

export function zoneGzip(suffix: string, labels: readonly string[]): Buffer {
  return gzipSync(zoneText(suffix, labels))
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { zoneGzip, zoneText } from '../../../server/test/internet/czds-zone.ts'
import { createHash, hashText } from './hash.ts'
import { BadZone, readZone } from './zone.ts'

const folder = mkdtempSync(join(tmpdir(), 'zone-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(content: string | Buffer, suffix = 'com') {
  const path = join(folder, 'zone')
  writeFileSync(path, content)
  const hashes: string[] = []
  const count = await readZone(path, suffix, (first, second) => hashes.push(`${first} ${second}`))
  return { hashes, ...count }
}

function hashesOf(...domains: string[]): string[] {
  const hash = createHash()
  return domains.map((domain) => {
    hashText(domain, hash)
    return `${hash[0]} ${hash[1]}`
  })
}

const SOA = 'com.\t900\tin\tsoa\ta.gtld-servers.net. nstld.verisign-grs.com. 1 2 3 4 5\n'

test('each delegated name is found once, however many name servers it has', async () => {
  const { hashes } = await read(zoneGzip('com', ['mayfly', 'a', 'xn--bcher-kva', '0-1']))
  expect(hashes).toEqual(hashesOf('0-1.com', 'a.com', 'mayfly.com', 'xn--bcher-kva.com'))
})

test('the apex, glue, signatures and what lies deeper are passed over', async () => {
  const lines = [
    'com.\t172800\tin\tns\ta.gtld-servers.net.',
    'com.\t86400\tin\tdnskey\t257 3 13 key',
    'ck0pojmg874ljref7efn8430qvit8bsm.com.\t86400\tin\tnsec3\t1 1 0 - CK0Q NS SOA',
    'ck0pojmg874ljref7efn8430qvit8bsm.com.\t86400\tin\trrsig\tns 8 2 86400 x',
    'held.com.\t86400\tin\tds\t1 8 2 abc',
    'mayfly.com.\t172800\tin\tns\tns1.mayfly.com.',
    'ns1.mayfly.com.\t172800\tin\ta\t192.0.2.1',
    'ns1.mayfly.com.\t172800\tin\taaaa\t2001:db8::1',
    'deep.mayfly.com.\t172800\tin\tns\tns1.mayfly.com.',
    'othercom.\t172800\tin\tns\tns1.mayfly.com.',
    'mayfly.net.\t172800\tin\tns\tns1.mayfly.com.',
    'txt.com.\t1\tin\ttxt\t"x\tin\tns\tns1.mayfly.com."',
  ]
  expect((await read(`${SOA}${lines.join('\n')}\n`)).hashes).toEqual(hashesOf('mayfly.com'))
})

test('capitals, blanks, line ends of two bytes, empty lines and comments are put up with', async () => {
  const { hashes, malformedLines: oddLines } = await read(
    `; a comment\r\n\r\nCOM. 900 IN SOA a b 1 2 3 4 5\r\nMayFly.COM.   172800 IN\tNS ns1.hosting.test.\r\nodd line\r\n`,
  )
  expect(hashes).toEqual(hashesOf('mayfly.com'))
  expect(oddLines).toBe(1)
})

test('a suffix of two labels is read like any other', async () => {
  const { hashes } = await read(zoneText('co.uk', ['mayfly']), 'co.uk')
  expect(hashes).toEqual(hashesOf('mayfly.co.uk'))
})

test('lines that end where a piece of the stream ends lose nothing', async () => {
  const labels = Array.from({ length: 40_000 }, (_, index) => `name${index}`)
  const { hashes } = await read(zoneGzip('com', labels))
  expect(new Set(hashes)).toEqual(new Set(hashesOf(...labels.map((label) => `${label}.com`))))
  expect(hashes.length).toBe(40_000)
})

test('gzip in several members, as some servers append it, is read to its end', async () => {
  const [first, second] = zoneText('com', ['a', 'b']).split(
    /(?<=b\.com\.\t86400\tin\tds\t1234 13 2 0123456789abcdef\n)/,
  )
  const { hashes } = await read(Buffer.concat([gzipSync(first ?? ''), gzipSync(second ?? '')]))
  expect(hashes).toEqual(hashesOf('a.com', 'b.com'))
})

test.each([
  ['cut off gzip', zoneGzip('com', ['mayfly', 'a', 'b']).subarray(0, -9)],
  [
    'gzip with a wrong byte',
    flip(
      zoneGzip(
        'com',
        Array.from({ length: 500 }, (_, index) => `n${index}`),
      ),
      600,
    ),
  ],
  ['a last line without an end', `${SOA}mayfly.com.\t1\tin\tns\tns1.host`],
  ['the zone of another suffix', zoneGzip('net', ['mayfly'])],
  ['an error page', '<!doctype html>\n<title>Maintenance</title>\n'],
  ['nothing', ''],
  ['nothing, compressed', gzipSync('')],
  ['no lines', Buffer.alloc(3 << 20, 'x')],
])('%s is refused', async (_, content) => {
  await expect(read(content)).rejects.toThrow(BadZone)
})

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

import { expect, test } from 'vitest'
import { addressSubject } from './address-subject.ts'

test.each([
  ['192.0.2.44', '192.0.2.44'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.44', '192.0.2.44'],
  ['::ffff:c000:22c', '192.0.2.44'],
  ['64:ff9b::192.0.2.44', '192.0.2.44'],
  ['64:ff9b::1:c000:22c', '64:ff9b:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (ip, subject) => {
  expect(addressSubject(ip)).toBe(subject)
})

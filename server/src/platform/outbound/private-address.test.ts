import { expect, test } from 'vitest'
import { isPrivateAddress } from './private-address.ts'

test('addresses of this machine, its network and its cloud are private', () => {
  for (const address of [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    'no address',
    '',
  ]) {
    expect(isPrivateAddress(address), address).toBe(true)
  }
})

test('addresses that the whole internet reaches are not', () => {
  for (const address of [
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700::1111',
    '64:ff9b::8.8.8.8',
  ]) {
    expect(isPrivateAddress(address), address).toBe(false)
  }
})

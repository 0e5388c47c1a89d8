import { expect, test } from 'vitest'
import { parseSentinels } from './sentinel.ts'

test('several sentinels, the name of the master and a database are read from one address', () => {
  expect(parseSentinels('sentinel://10.0.0.1:26379,10.0.0.2:26380,sentinel-3/names/2')).toEqual({
    hosts: [
      { host: '10.0.0.1', port: 26_379 },
      { host: '10.0.0.2', port: 26_380 },
      { host: 'sentinel-3', port: 26_379 },
    ],
    name: 'names',
    database: 2,
    username: '',
    password: '',
    sentinelPassword: '',
    tls: false,
  })
})

test('credentials are decoded, and those of the sentinels are their own', () => {
  const read = parseSentinels('sentinels://app:p%40ss%2Fword@[::1]:1,b:2/names?sentinel-password=s%26t')
  expect(read).toMatchObject({
    username: 'app',
    password: 'p@ss/word',
    sentinelPassword: 's&t',
    tls: true,
    database: 0,
  })
  expect(read.hosts).toEqual([
    { host: '::1', port: 1 },
    { host: 'b', port: 2 },
  ])
})

test.each([
  'sentinel://10.0.0.1:26379',
  'sentinel://10.0.0.1:26379/',
  'sentinel:///names',
  'sentinel://a:0/names',
  'sentinel://a:70000/names',
  'sentinel://a,,b/names',
  'sentinel://a/names/x',
  'sentinel://a:%zz@b/names',
  'sentinel://a/names?password=1',
  'redis://a/0',
])('%s is none', (text) => {
  expect(() => parseSentinels(text)).toThrow('sentinel://host:port,host:port/NAME')
})

/** Whoever finds a vulnerability must find out where to report it (RFC 9116). */
import { expect, test } from 'vitest'
import { startApp } from '../start-app.ts'

const fieldsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])

test('security.txt names a contact, says until when, and where it is from', async () => {
  await using at = await startApp({ people: true })
  const reply = await at.visitor().ask('/.well-known/security.txt')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const fields = Object.fromEntries(fieldsOf(reply.text))
  expect(fields).toMatchObject({
    Contact: expect.stringMatching(/^https:\/\//),
    Canonical: `${at.url}/.well-known/security.txt`,
    'Preferred-Languages': 'en',
  })
  const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(80)
  expect(days).toBeLessThan(365)
})

test('an operator names their own contacts, in order', async () => {
  await using world = await startApp({
    own: true,
    settings: {
      NAMEWRIGHT_SECURITY_CONTACT: 'mailto:security@names.example,https://names.example/security',
    },
  })
  const node = await world.startNode()
  const { text } = await node.call('/.well-known/security.txt')
  expect(fieldsOf(text).filter(([name]) => name === 'Contact')).toEqual([
    ['Contact', 'mailto:security@names.example'],
    ['Contact', 'https://names.example/security'],
  ])
})

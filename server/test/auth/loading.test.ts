/** What signs people in is large: a node that only serves keys must not load it, and loses nothing by that. */
import { expect, test } from 'vitest'
import { startApp } from '../start-app.ts'

test('a node that nobody signs in at never loads Better Auth', async () => {
  await using world = await startApp()
  const hook = `import{registerHooks}from"node:module";registerHooks({resolve(s,c,n){if(/better-auth/.test(s))throw Error("loaded");return n(s,c)}})`
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hook)}`
  const node = await world.startNodeProcess({ NODE_OPTIONS })
  const { secret: key } = await world.makeKey(await world.makeAccount())
  expect((await node.call('/v1/history', { key })).status).toBe(200)
  expect((await node.call('/v1/generate', { key, body: { description: 'a bakery', count: 1 } })).status).toBe(200)
  // Whoever wants to sign in there needs it, which shows that the hook would have noticed.
  expect((await node.call('/auth/get-session')).status).toBeGreaterThanOrEqual(500)
})

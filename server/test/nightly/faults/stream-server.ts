/**
 * The service as a process that listens on a socket file and can be asked how much memory it has in use, and how many
 * connections.
 *
 * A socket file holds far less on its way than a network does, so a slow reader is felt at once. Besides its own routes
 * it has `/endless`, which sends as much as its reader takes, without end.
 */
import { readConfig } from '../../read-config.ts'
import { memoryInUse } from '../../memory.ts'
import { ACCESS, createHttpServer, openContext, openLog, openStream } from '../../source.ts'

const [path = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const ctx = await openContext(config, openLog('warn'))
// A route without an entry would not start.
Object.assign(ACCESS, { 'GET /endless': ACCESS['GET /healthz'] })
const { app } = await createHttpServer(ctx, { tls: undefined, version: '0.0.0' })

app.get('/endless', async (_request, reply) => {
  const stream = openStream(reply, { format: 'sse' })
  const data = JSON.stringify('x'.repeat(1000))
  for (let id = 1; !stream.isGone; id++) await stream.send({ event: 'tick', id: String(id), data })
  stream.end()
  return reply
})

await app.listen({ path })
process.on('message', (question) => {
  if (question === 'memory') void memoryInUse().then((bytes) => process.send?.(bytes))
  else app.server.getConnections((_error, count) => process.send?.(count))
})
process.send?.('listening')

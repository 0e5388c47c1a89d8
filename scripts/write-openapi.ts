/** `pnpm openapi`: writes `api/openapi.json` as a running node serves it. Needs the services. */
import { writeFileSync } from 'node:fs'
import { startApp } from '../server/test/start-app.ts'

const FILE = `${import.meta.dirname}/../api/openapi.json`

await using world = await startApp({ own: true })
const node = await world.startNode()
const { json } = await node.call('/openapi.json')
writeFileSync(FILE, `${JSON.stringify(json, null, 2)}\n`)
console.log(`api/openapi.json: ${Object.keys(json.paths).length} paths`)

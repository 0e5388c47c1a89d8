/**
 * `pnpm openapi`: writes `api/openapi.json` as a running node serves it, and `api/settings.json`, which no node serves.
 * Needs the services.
 */
import { writeFileSync } from 'node:fs'
import { FEATURES } from '../server/src/app.ts'
import { settingsDocument } from '../server/src/http/settings-openapi.ts'
import { startApp } from '../server/test/start-app.ts'

await using world = await startApp({ own: true })
const node = await world.startNodeProcess()
const { json } = await node.call('/openapi.json')
for (const [name, document] of [
  ['openapi', json],
  ['settings', settingsDocument(FEATURES)],
] as const) {
  writeFileSync(`${import.meta.dirname}/../api/${name}.json`, `${JSON.stringify(document, null, 2)}\n`)
  console.log(`api/${name}.json: ${Object.keys(document.paths).length} paths`)
}

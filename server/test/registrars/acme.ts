/** Acme: 100 names at a time with prices in US dollars; needs an API token. */
import { secretOf } from '../../src/platform/config/parse.ts'
import { evidenceOf } from '../../src/engines/availability/registrars/claim.ts'
import type { Claim } from '../../src/engines/availability/registrars/claim.ts'
import { defineRegistrar } from '../../src/engines/availability/registrars/declaration.ts'
import { dollarsIn, readObject, rowsIn, textIn } from '../../src/engines/availability/registrars/fields.ts'
import type { Fields } from '../../src/engines/availability/registrars/fields.ts'
import { put } from '../../src/engines/availability/registrars/registrar.ts'

const NAME = 'acme'
const HOST = 'api.acme.example'
const BATCH = 100

export const acme = defineRegistrar({
  name: NAME,
  title: 'Acme',
  settings: {
    NAMEWRIGHT_ACME: {
      about: 'API token of Acme.',
      example: 'change-me',
      secret: true,
      required: true,
      parse: secretOf((text) => text),
    },
  },
  host: HOST,
  batch: BATCH,
  docs: { premiumPrices: 'yes' },
  privacy: 'The names, with your API token.',
  create: ({ NAMEWRIGHT_ACME: token }, { send, now }) => ({
    name: NAME,
    host: HOST,
    batch: BATCH,
    async check(domains, signal) {
      const at = now()
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token.reveal()}` }
      const body = JSON.stringify({ domains })
      const text = await put(send, { url: `https://${HOST}/v1/check`, method: 'POST', headers, body }, signal)
      return evidenceOf(NAME, at, domains, rowsIn(readObject(text).results).flatMap(readRow))
    },
  }),
})

/** Leaves out a row that it does not understand: the next source is queried about that domain. */
function readRow(row: Fields): Claim[] {
  const name = textIn(row.domain)
  if (name === undefined || typeof row.premium !== 'boolean') return []
  if (row.available === false) return [{ name, says: 'registered' }]
  const [registration, renewal] = [dollarsIn(row.price), dollarsIn(row.renewal)]
  if (row.available !== true || registration === undefined || renewal === undefined) return []
  return [{ name, says: row.premium ? 'premium' : 'available', price: { registration, renewal, years: 1 } }]
}

/**
 * The least a generate request could cost: the same framework, the same check of the body, a static answer of the
 * same size, and one prepared INSERT of the same row. No caller, no quota, no names, no availability.
 */
import fastify from 'fastify'
import pg from 'pg'
import { makeId } from '../server/src/model/id.ts'
import { createCheck } from '../server/src/http/validate.ts'
import { GenerateBody } from '../server/src/http/wire/schemas.ts'

const [databaseUrl = '', answerText = '', rowText = ''] = process.argv.slice(2)
const account = '00000000-0000-7000-8000-000000000000'
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const answer = JSON.parse(answerText) as unknown

const app = fastify({ logger: false })
app.setValidatorCompiler(({ schema }) => {
  const check = createCheck(schema, { query: false })
  return (data: unknown) => ({ value: check(data) })
})
app.setSerializerCompiler(() => JSON.stringify)
app.post<{ Body: GenerateBody }>(
  '/v1/generate',
  { schema: { body: GenerateBody, response: { 200: {} } } },
  async (request) => {
    const at = Date.now()
    await pool.query({
      name: 'insert',
      text: `INSERT INTO history (account_id, id, created_at, key_id, description, count, language, options, suggestions)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      values: [
        account,
        makeId(at),
        new Date(at),
        account,
        request.body.description,
        request.body.count,
        'en',
        '{}',
        rowText,
      ],
    })
    return answer
  },
)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url, msg: 'listening' }))

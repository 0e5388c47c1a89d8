/**
 * What is wrong with an answer, whatever was asked: each fault begins with the kind that it is counted and shrunk by.
 *
 * Other tests check the right response to a valid request. Here only what holds for every answer is held: it is
 * documented, it is whole, it is the caller's mistake and not ours, and it reveals nothing of how we are built or of
 * anybody else.
 */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ERRORS } from '../../../src/errors.ts'
import { createAnswerCheck, inlined } from '../../answer-check.ts'
import { MAX_SILENCE_MS } from '../../../src/http/discard-body.ts'
import { ADMIN_URL } from '../../world.ts'
import type { Answer } from '../../world.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { FOLLOWER, isStream } from './send-shot.ts'
import type { Exchange } from './send-shot.ts'
import type { Shot } from './shots.ts'

export interface Theirs {
  readonly word: string
  readonly ids: ReadonlySet<string>
}

const LEAKS: Readonly<Record<string, RegExp>> = {
  'a stack trace': /\n\s+at |node:internal|node_modules|\.ts:\d+/,
  'a path of ours': /server\/src|\/usr\/|\/root\//,
  SQL: /\bSELECT\b[^"]*\bFROM\b|\bINSERT INTO\b|violates|syntax error at|relation \\"/,
  'a bug of ours': /TypeError|RangeError|SyntaxError|ReferenceError|is not a function|\[object Object\]/,
  'a regular expression': /expected: [^"]*(?:\(\?|\[A-Z|\\\\[dSpw])/,
  'our neighbours': new RegExp(`ECONNREFUSED|127\\.0\\.0\\.1:(?:${new URL(ADMIN_URL).port}|6379|5320)|postgres://`),
}
// Written before there is a request, so they say less.
const BEFORE_REQUEST = new Set(['malformed_http', 'headers_too_large', 'request_timeout'])
/** What may be left without an answer. */
const UNANSWERED = new Set(['cut', 'hang up', 'lie', 'mess'])

export async function createJudge(world: FuzzWorld, theirs: Theirs) {
  const { document, tools } = world
  const { schemas } = document.components
  const checkAnswer = await createAnswerCheck(world.node.url)
  const compiled = new Map<unknown, ReturnType<typeof Compile>>()
  const fits = (schema: unknown, value: unknown) => {
    let check = compiled.get(schema)
    if (!check) compiled.set(schema, (check = Compile(inlined(schema, schemas) as TSchema)))
    return check.Check(value) ? undefined : JSON.stringify(check.Errors(value).slice(0, 2))
  }

  return function judge(shot: Shot, exchange: Exchange): string[] {
    const { answers, broken, isLate, isReset, ms } = exchange
    const wanted = shot.delivery.how === 'pipelined' ? 2 : 1
    const faults: string[] = []
    if (isLate) faults.push(`late: nothing more came within ${Math.round(ms)} ms`)
    if (answers.length === 0 && !UNANSWERED.has(shot.delivery.how) && !isLate) {
      const isLeft = broken !== undefined && isStream(broken)
      // Who is refused and sends nothing for longer than this may be cut off: a slow drip on a busy machine.
      const isCutOff = isReset && ms > MAX_SILENCE_MS
      if (!isLeft && !isCutOff)
        faults.push(
          `no answer: the connection was ${isReset ? 'reset' : 'closed'}${broken ? ` after ${broken.status}` : ''}`,
        )
    }
    for (const [i, answer] of [...answers, ...(broken && isStream(broken) ? [broken] : [])].entries()) {
      if (i === 0) faults.push(...ofAnswer(shot, answer))
      else if (i < wanted) faults.push(...ofAnswer(FOLLOWING, answer))
      else if (answer.status !== 400) faults.push(`one too many: ${answer.status} ${answer.text.slice(0, 300)}`)
    }
    return faults
  }

  function ofAnswer(shot: Shot, answer: Answer): string[] {
    const { status, headers, text } = answer
    const faults: string[] = []
    const type = headers.get('content-type') ?? ''
    const isBare = status === 204 || shot.method === 'HEAD' || (status === 202 && text === '')
    if (status >= 500) faults.push(`${status}: ${text.slice(0, 300)}`)
    if (status < 200 || (status >= 300 && status < 400)) faults.push(`status: ${status}`)
    if (!headers.get('x-request-id')) faults.push('headers: no X-Request-Id')
    if (headers.has('x-injected')) faults.push('headers: a caller wrote one of them')
    const code = codeOf(answer)
    if (headers.get('x-content-type-options') !== 'nosniff')
      faults.push('headers: X-Content-Type-Options is not nosniff')
    // An answer to HEAD does not say which error it is.
    if (!BEFORE_REQUEST.has(code) && (shot.method !== 'HEAD' || status < 400)) {
      if (!headers.get('content-security-policy')) faults.push('headers: no Content-Security-Policy')
      if (shot.target.startsWith('/v1/') && headers.get('cache-control') !== 'no-store' && !isStream(answer))
        faults.push(`headers: Cache-Control is ${headers.get('cache-control')}`)
    }
    if (!isBare && !/^(application\/(json; charset=utf-8|json|problem\+json|x-ndjson)|text\/event-stream)/.test(type))
      faults.push(`type: ${status} is ${type}`)
    if (!isBare && !isStream(answer) && answer.json === undefined)
      faults.push(`type: ${status} is no JSON: ${text.slice(0, 200)}`)
    if (status >= 400 && !isBare) faults.push(...ofError(shot, answer, code))
    else if (!isBare) faults.push(...ofSuccess(shot, answer))
    for (const [what, sign] of Object.entries(LEAKS)) {
      if (sign.test(text)) faults.push(`tells ${what}: ${text.slice(0, 400)}`)
    }
    if (text.includes(theirs.word)) faults.push(`tells of another account: ${text.slice(0, 300)}`)
    if (!isAboutThem(shot) && [...theirs.ids].some((id) => text.includes(id)))
      faults.push(`tells an id of another account: ${text.slice(0, 300)}`)
    return faults
  }

  function ofError(shot: Shot, { status, headers, json, text }: Answer, code: string): string[] {
    if (shot.operation.startsWith('POST /mcp') && json?.jsonrpc === '2.0') return []
    const expected = ERRORS[code as keyof typeof ERRORS]?.status
    const faults: string[] = []
    if (expected !== status) faults.push(`schema: ${status} with the code ${code}: ${text.slice(0, 200)}`)
    if (headers.get('content-type')?.startsWith('application/problem')) {
      const isWhole =
        json.status === status &&
        [json.type, json.title, json.detail, json.request_id].every((one) => typeof one === 'string')
      if (!isWhole) faults.push(`schema: ${text.slice(0, 300)}`)
      return faults
    }
    const misfit = fits(schemas['Error'], json)
    if (misfit !== undefined) faults.push(`schema: ${text.slice(0, 300)}: ${misfit}`)
    if (json?.error?.request_id !== headers.get('x-request-id'))
      faults.push('headers: X-Request-Id is another than in the body')
    return faults
  }

  function ofSuccess(shot: Shot, answer: Answer): string[] {
    const [method = '', path = '', tool] = shot.operation.split(' ')
    if (path === '/mcp') return ofMessage(tool ?? '', answer)
    if (shot.method !== method && shot.method !== 'OPTIONS') {
      // The address is of another operation as well, and the answer is held against that one.
      return attempt(() => checkAnswer(shot.method, world.fill(shot.target), answer))
    }
    if (!isStream(answer)) return attempt(() => checkAnswer(method, world.fill(shot.target), answer))
    const operation = document.paths[path]?.[method.toLowerCase()]
    const stream = operation?.['x-stream']?.$ref.split('/').at(-1)
    const streaming = stream === undefined ? operation : document.components.pathItems[stream]?.[method.toLowerCase()]
    const content = streaming?.responses['200']?.content
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      const lines = answer.text.split('\n').filter((line) => line.startsWith('data:'))
      return lines.slice(0, -1).flatMap((line) => attempt(() => JSON.parse(line.slice(5))))
    }
    const schema = content?.['application/x-ndjson']?.schema
    if (schema === undefined) return [`schema: ${shot.operation} streams, which is not documented`]
    // The last one may be cut off.
    const lines = answer.text.split('\n').slice(0, -1)
    return lines.flatMap((line) => {
      const misfit = attempt(() => {
        const found = fits(schema, JSON.parse(line))
        if (found !== undefined) throw new Error(`${line.slice(0, 300)}: ${found}`)
      })
      return misfit
    })
  }

  function ofMessage(tool: string, { json, text }: Answer): string[] {
    if (json?.jsonrpc !== '2.0' || (json.result === undefined) === (json.error === undefined))
      return [`schema: no answer of JSON-RPC: ${text.slice(0, 300)}`]
    const content: unknown = json.result?.structuredContent
    if (content === undefined) return []
    const misfit = fits(tools.find(({ name }) => name === tool)?.outputSchema, content)
    return misfit === undefined ? [] : [`schema: ${tool}: ${misfit}`]
  }
}

const FOLLOWING: Shot = {
  operation: FOLLOWER,
  method: 'GET',
  target: '/v1/status',
  headers: [],
  body: undefined,
  encoding: 'as it is',
  delivery: { how: 'whole' },
}

function codeOf({ json }: Answer): string {
  return String(json?.error?.code ?? json?.code ?? '')
}

function isAboutThem(shot: Shot): boolean {
  return JSON.stringify(shot).includes('theirs.')
}

function attempt(work: () => void): string[] {
  try {
    work()
    return []
  } catch (error) {
    return [`schema: ${(error as Error).message}`]
  }
}

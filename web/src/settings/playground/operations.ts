/**
 * The operations of the playground: the request of each, and the code that makes it, with curl, in TypeScript and in Python.
 *
 * Never: puts a key into code. All three read it from the environment, so that code can be shared. Pure.
 */
import type { ApiCall } from '../../api/playground.ts'
import type { TextId } from '../../i18n/i18n.ts'

export const OPERATIONS = ['generate', 'check', 'names', 'tlds', 'usage'] as const
export type Operation = (typeof OPERATIONS)[number]

export const CODE_LANGUAGES = ['curl', 'typescript', 'python'] as const
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]

interface Shape {
  readonly title: TextId
  /** What the reader fills in, and what stands there at first; without it there is nothing to fill in. */
  readonly input?: { readonly label: TextId; readonly sample: string }
  readonly callOf: (input: string) => ApiCall
  /** The call of the SDK, and what it prints. */
  readonly typescript: (call: ApiCall) => readonly string[]
}

const literal = (value: unknown): string => JSON.stringify(value)

export const SHAPES: Readonly<Record<Operation, Shape>> = {
  generate: {
    title: 'playground.generate',
    input: { label: 'playground.description', sample: 'a bakery that delivers by bicycle' },
    callOf: (description) => ({ method: 'POST', path: '/v1/generate', body: { description, count: 3 } }),
    typescript: ({ body }) => [
      `const { suggestions } = await namewright.generate(${literal(body)})`,
      `console.log(suggestions)`,
    ],
  },
  check: {
    title: 'playground.check',
    input: { label: 'playground.domains', sample: 'storkloom.com, storkloom.net' },
    callOf: (domains) => ({ method: 'POST', path: '/v1/domains/check', body: { domains: listOf(domains) } }),
    typescript: ({ body }) => [
      `const verdicts = await namewright.check(${literal((body as { domains: readonly string[] }).domains)})`,
      `console.log(verdicts)`,
    ],
  },
  names: {
    title: 'playground.names',
    input: { label: 'playground.name', sample: 'storkloom' },
    callOf: (name) => ({ method: 'POST', path: '/v1/names/check', body: { names: [name], tlds: ['com', 'net'] } }),
    typescript: ({ body }) => [`const names = await namewright.checkNames(${literal(body)})`, `console.log(names)`],
  },
  tlds: {
    title: 'playground.tlds',
    callOf: () => ({ method: 'GET', path: '/v1/tlds?limit=10' }),
    typescript: () => [`const { tlds } = await namewright.tlds({ limit: 10 })`, `console.log(tlds)`],
  },
  usage: {
    title: 'playground.usage',
    callOf: () => ({ method: 'GET', path: '/v1/usage?days=7' }),
    typescript: () => [`const { key, account } = await namewright.usage({ days: 7 })`, `console.log(key, account)`],
  },
}

export function codeOf(language: CodeLanguage, operation: Operation, call: ApiCall, url: string): string {
  if (language === 'curl') return curlOf(call, url)
  return language === 'python' ? pythonOf(call, url) : typescriptOf(operation, call, url)
}

function curlOf({ path, body }: ApiCall, url: string): string {
  const lines = [`curl ${quoted(`${url}${path}`)}`, `-H "Authorization: Bearer $NAMEWRIGHT_API_KEY"`]
  if (body) lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(literal(body))}`)
  return lines.join(' \\\n  ')
}

/** For a shell: everything between single quotes is taken as it is written. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function typescriptOf(operation: Operation, call: ApiCall, url: string): string {
  return [
    `import { createNamewright } from '@namewright/client'`,
    ``,
    `const namewright = createNamewright({`,
    `  baseUrl: ${literal(url)},`,
    `  apiKey: process.env['NAMEWRIGHT_API_KEY'] ?? '',`,
    `})`,
    ...SHAPES[operation].typescript(call),
  ].join('\n')
}

/** With the standard library alone. What JSON writes here, texts and numbers and lists, Python reads the same way. */
function pythonOf({ method, path, body }: ApiCall, url: string): string {
  return [
    `import json, os, urllib.request`,
    ``,
    ...(body ? [`body = ${literal(body)}`] : []),
    `request = urllib.request.Request(`,
    `    ${literal(`${url}${path}`)},`,
    ...(body ? [`    data=json.dumps(body).encode(),`] : []),
    `    method=${literal(method)},`,
    `    headers={`,
    `        "Authorization": "Bearer " + os.environ["NAMEWRIGHT_API_KEY"],`,
    ...(body ? [`        "Content-Type": "application/json",`] : []),
    `    },`,
    `)`,
    `with urllib.request.urlopen(request) as response:`,
    `    print(json.dumps(json.load(response)["data"], indent=2))`,
  ].join('\n')
}

function listOf(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter(Boolean)
}

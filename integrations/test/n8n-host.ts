/**
 * A stand-in for n8n: builds the package as its tsconfig.json says, loads the built CommonJS files with the few parts of
 * `n8n-workflow` that they use, and runs the node with an HTTP helper that really sends what it is given.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import type { IExecuteFunctions, IHttpRequestOptions, INodeType, JsonObject } from 'n8n-workflow'

export const PACKAGE = new URL('../n8n/', import.meta.url).pathname

const WORKFLOW = `
exports.NodeConnectionTypes = { Main: 'main' }
exports.NodeApiError = class NodeApiError extends Error {
  constructor(node, response, options) {
    super(options.message)
    Object.assign(this, { node, response }, options)
  }
}`

export interface Built extends Disposable {
  readonly folder: string
  /** An instance of the class that a built file exports. */
  load(path: string, name: string): unknown
}

/** `dist/` of the package, in a temporary folder. */
export function buildPackage(): Built {
  const folder = mkdtempSync(`${tmpdir()}/namewright-n8n-`)
  const tsc = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname
  execFileSync(tsc, ['--pretty', 'false', '-p', PACKAGE, '--outDir', `${folder}/dist`], { stdio: 'pipe' })
  mkdirSync(`${folder}/node_modules/n8n-workflow`, { recursive: true })
  writeFileSync(`${folder}/node_modules/n8n-workflow/index.js`, WORKFLOW)
  writeFileSync(`${folder}/package.json`, '{}')
  const require = createRequire(`${folder}/package.json`)
  return {
    folder,
    load(path, name) {
      const { [name]: Class } = require(`${folder}/${path}`) as Record<string, new () => unknown>
      if (Class === undefined) throw new Error(`${path} does not export ${name}`)
      return new Class()
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

export interface Run {
  readonly baseUrl: string
  /** The parameters of each input item. */
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly continueOnFail?: boolean
}

export async function runNode(node: INodeType, { baseUrl, items, continueOnFail = false }: Run) {
  const context: IExecuteFunctions = {
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter(name, index, fallback) {
      const value = items[index]?.[name] ?? fallback
      if (value === undefined) throw new Error(`Could not get parameter ${name}`)
      return value
    },
    getCredentials: () => Promise.resolve({ baseUrl, apiKey: 'nw_test' }),
    getNode: () => ({ name: 'Namewright' }),
    continueOnFail: () => continueOnFail,
    helpers: { httpRequestWithAuthentication: (_type, options) => send(options) },
  }
  const [output = []] = await node.execute.call(context)
  return output as readonly { readonly json: JsonObject; readonly pairedItem: { readonly item: number } }[]
}

/** As n8n's documentation describes the options of its helper. */
async function send(options: IHttpRequestOptions): Promise<unknown> {
  const { url, method = 'GET', headers = {}, body } = options
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json', authorization: 'Bearer nw_test' },
    body: JSON.stringify(body),
    redirect: options.disableFollowRedirect === true ? 'manual' : 'follow',
  })
  if (!response.ok && options.ignoreHttpStatusErrors !== true) throw new Error(`status ${response.status}`)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const read: unknown = isJson ? JSON.parse(text) : text
  return options.returnFullResponse === true ? { statusCode: response.status, body: read } : read
}

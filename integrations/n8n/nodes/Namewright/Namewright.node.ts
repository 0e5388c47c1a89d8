/**
 * The node: for each input item one request, for each name or domain of the response one output item.
 *
 * It uses n8n's HTTP helper and not the client of Namewright, because a verified community node may have no dependencies.
 */
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import type {
  IExecuteFunctions,
  IHttpRequestOptions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow'
import { Failure, failureItem, noResponse, textsOf, unexpected } from './failure.ts'
import { itemsOf } from './items.ts'
import { properties } from './properties.ts'
import { parseBaseUrl, requestOf } from './request.ts'
import type { ApiRequest, Operation } from './request.ts'

const CREDENTIAL = 'namewrightApi'
// The service responds within 30 s at most; the rest is for the network.
const TIMEOUT_MS = 40_000

export class Namewright implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Namewright',
    name: 'namewright',
    icon: { light: 'file:../../icons/namewright.svg', dark: 'file:../../icons/namewright.dark.svg' },
    group: [],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Find names with domains that can be registered, and check domains and names',
    defaults: { name: 'Namewright' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: CREDENTIAL, required: true }],
    properties,
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = []
    for (const index of this.getInputData().keys()) {
      for (const json of await resultsOf(this, index)) output.push({ json, pairedItem: { item: index } })
    }
    return [output]
  }
}

async function resultsOf(context: IExecuteFunctions, itemIndex: number): Promise<JsonObject[]> {
  // Outside of the try block: n8n has its own texts for a missing credential or parameter.
  const operation = context.getNodeParameter('operation', itemIndex) as Operation
  const request = requestOf(operation, (name) => context.getNodeParameter(name, itemIndex, null))
  const { baseUrl } = await context.getCredentials(CREDENTIAL, itemIndex)
  try {
    return itemsOf(operation, await send(context, parseBaseUrl(baseUrl), request))
  } catch (error) {
    const failure = error instanceof Failure ? error : unexpected(null)
    if (context.continueOnFail()) return [failureItem(failure)]
    const httpCode = failure.status === null ? {} : { httpCode: String(failure.status) }
    throw new NodeApiError(context.getNode(), failureItem(failure), { ...textsOf(failure), ...httpCode, itemIndex })
  }
}

async function send(context: IExecuteFunctions, baseUrl: string, { path, body }: ApiRequest): Promise<unknown> {
  const options: IHttpRequestOptions = {
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: { accept: 'application/json' },
    body,
    json: true,
    timeout: TIMEOUT_MS,
    // No other server gets the key.
    disableFollowRedirect: true,
    // The body of an error has its code and its hint.
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  }
  try {
    return await context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, options)
  } catch (error) {
    throw noResponse(error)
  }
}

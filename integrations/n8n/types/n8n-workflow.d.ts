/**
 * What this package uses of `n8n-workflow`, declared by hand: the package itself is not installed here. n8n provides it
 * when it loads the node.
 */
declare module 'n8n-workflow' {
  export type IconFile = `file:${string}.svg`
  export type Icon = IconFile | { light: IconFile; dark: IconFile }
  export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
  export interface JsonObject {
    readonly [key: string]: JsonValue | undefined
  }

  export interface INodePropertyOptions {
    name: string
    value: string
    action?: string
    description?: string
  }

  export interface INodeProperties {
    displayName: string
    name: string
    type: 'string' | 'number' | 'boolean' | 'options' | 'multiOptions' | 'collection'
    default: string | number | boolean | readonly string[] | Readonly<Record<string, never>>
    description?: string
    placeholder?: string
    required?: boolean
    noDataExpression?: boolean
    displayOptions?: { show: Record<string, string[]> }
    typeOptions?: { password?: boolean; rows?: number; minValue?: number; maxValue?: number }
    options?: (INodePropertyOptions | INodeProperties)[]
  }

  export interface ICredentialType {
    name: string
    displayName: string
    icon?: Icon
    documentationUrl?: string
    properties: INodeProperties[]
    authenticate?: IAuthenticateGeneric
    test?: ICredentialTestRequest
  }

  export interface IAuthenticateGeneric {
    type: 'generic'
    properties: { headers?: Record<string, string> }
  }

  export interface ICredentialTestRequest {
    request: { baseURL: string; url: string }
  }

  export interface IHttpRequestOptions {
    url: string
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: object
    json?: boolean
    timeout?: number
    disableFollowRedirect?: boolean
    returnFullResponse?: boolean
    ignoreHttpStatusErrors?: boolean
  }

  export interface INodeExecutionData {
    json: JsonObject
    pairedItem?: { item: number }
  }

  export interface INode {
    readonly name: string
  }

  export interface IExecuteFunctions {
    getInputData(): INodeExecutionData[]
    getNodeParameter(name: string, itemIndex: number, fallback?: unknown): unknown
    getCredentials(type: string, itemIndex?: number): Promise<Readonly<Record<string, unknown>>>
    getNode(): INode
    continueOnFail(): boolean
    readonly helpers: {
      httpRequestWithAuthentication(
        this: IExecuteFunctions,
        credentialType: string,
        options: IHttpRequestOptions,
      ): Promise<unknown>
    }
  }

  export interface INodeTypeDescription {
    displayName: string
    name: string
    icon: Icon
    group: string[]
    version: number
    subtitle?: string
    description: string
    defaults: { name: string }
    inputs: 'main'[]
    outputs: 'main'[]
    usableAsTool?: true
    credentials: { name: string; required: boolean }[]
    properties: INodeProperties[]
  }

  export interface INodeType {
    description: INodeTypeDescription
    execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]>
  }

  export const NodeConnectionTypes: { readonly Main: 'main' }

  export class NodeApiError extends Error {
    constructor(
      node: INode,
      errorResponse: JsonObject,
      options?: { message?: string; description?: string; httpCode?: string; itemIndex?: number },
    )
  }
}

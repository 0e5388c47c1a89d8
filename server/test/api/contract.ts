/** What callers can read about the service: the scopes and the schemas of `api/openapi.json`. */
import { readFileSync } from 'node:fs'
import { inlined } from '../answer-check.ts'
import type { Scope } from '../world.ts'

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly securitySchemes: {
      readonly oauth: { readonly flows: { readonly clientCredentials: { readonly scopes: Record<Scope, string> } } }
    }
  }
}

const text = readFileSync(new URL('../../../api/openapi.json', import.meta.url), 'utf8')
const { components } = JSON.parse(text) as Document

export const SCOPES = Object.keys(components.securitySchemes.oauth.flows.clientCredentials.scopes) as Scope[]

/** Well formed, and never given out. */
export const UNKNOWN_KEY = 'nw_NobodyWasEverGivenThisKey0000006YhCY'

/** Closed and without references. */
export function schemaOf(name: string): unknown {
  return inlined(components.schemas[name], components.schemas)
}

/** The values that a property of a schema can have. */
export function valuesOf(name: string, property: string): readonly string[] {
  const { properties } = components.schemas[name] as { properties: Record<string, { enum: string[] }> }
  return properties[property]?.enum ?? []
}

/**
 * What a namespace declares about itself, in its own file. A namespace is a place outside DNS in which a name is unique:
 * a package registry, or the users and groups of a code host. The tables of the docs, kill switches and the doctor are
 * derived from these declarations (`all.ts` lists them), so no other file depends on a single namespace.
 *
 * No namespace has a public API that says whether a name can be registered: each only shows what exists. Each also
 * refuses names that it does not show, and `docs.notFound` says which. So an entry that is not found is no proof, and
 * never makes a name available (docs/decisions/0050-a-missing-package-is-no-proof.md).
 *
 * A namespace's kill switch has its name.
 */
import type { NamespaceGroup } from '../../model/namespace-verdict.ts'
import type { Answered } from '../../platform/outbound/outbound.ts'

/** What a response says about one name. `malformed`: it is not what the API documents. */
export type NamespaceReading = 'exists' | 'absent' | 'malformed'

export interface NamespaceQuery {
  /** The path at the host, with its query. */
  readonly path: string
  readonly accept: string
  /** Gets only responses with the status 200 or 404. The body may be truncated. */
  readonly read: (answer: Pick<Answered, 'status' | 'headers' | 'body'>) => NamespaceReading
  /** An entry that this query finds has another name, which the namespace treats as too similar. */
  readonly isSimilar?: true
}

export interface NamespaceDeclaration {
  /** In responses, and of its kill switch. */
  readonly name: string
  /** The name in the docs. */
  readonly title: string
  readonly group: NamespaceGroup
  readonly host: string
  /** The rate of requests to start with. A published limit is never exceeded; otherwise the budget learns the rate. */
  readonly rate: { readonly perSecond: number; readonly isPublished: boolean }
  /** The name that a label has here, in the form that the namespace compares; undefined if its rules forbid it. */
  readonly findName: (label: string) => string | undefined
  /** Names that nobody can register, in addition to those in `data/reserved-names.json`. */
  readonly reserved?: readonly string[]
  /** At most two. All of them must find nothing before a name counts as absent. */
  readonly queries: (name: string) => readonly NamespaceQuery[]
  /** An entry that exists, for the doctor. */
  readonly known: string
  /** Where a person can look. */
  readonly pageOf: (name: string) => string
  readonly docs: {
    /** The rules beyond equality that the verdict applies. */
    readonly rules: string
    /** Why an entry that is not found does not prove that the name can be registered. */
    readonly notFound: string
  }
  /** What it receives, for docs/privacy.md. */
  readonly privacy: string
}

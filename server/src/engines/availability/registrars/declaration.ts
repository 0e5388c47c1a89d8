/**
 * What a registrar declares about itself, in its own file. Configuration, `example.env`, the tables of the docs, kill
 * switches and the doctor are derived from these declarations (`all.ts` lists them), so no other file depends on a
 * single registrar.
 *
 * A registrar's kill switch has its name. How to add a registrar: docs/guides/adding-a-registrar.md.
 */
import type { RegistrarSetting, RegistrarSettings } from '../../../platform/config/registrars.ts'
import type { HealthTracker } from '../../../platform/outbound/health-tracker.ts'
import type { LookupCache } from '../verdict-cache.ts'
import type { Registrar, Send } from './registrar.ts'

export interface RegistrarDeclaration extends RegistrarSettings {
  /** The name in the docs. */
  readonly title: string
  /** The budget that a request is taken from: a host, or the setting that holds it. */
  readonly host: string | { readonly setting: string }
  /** The most names per request. */
  readonly batch: number
  /**
   * The interval between two requests, if the registrar publishes one: the budget of its host, which all nodes share,
   * keeps it. Otherwise that budget learns the rate.
   */
  readonly everyMs?: number
  readonly docs: {
    /** What an operator needs besides the required settings. */
    readonly needs?: string
    /** Whether it returns the prices of premium names. */
    readonly premiumPrices: string
  }
  /** Only if nobody has tried it with an account yet: what it is built to instead. */
  readonly untried?: {
    /** The address of the registrar's documentation. */
    readonly documentation: string
    /** What was read of it: the page itself, or which copy. The copy may be older than the page. */
    readonly readFrom: string
    /** `YYYY-MM-DD` */
    readonly readOn: string
    /** What a response does not say. */
    readonly omits: string
  }
  /** What it receives, for docs/privacy.md. */
  readonly privacy: string
  /** `settings` has a value for every required setting. */
  create(settings: Readonly<Record<string, unknown>>, tools: RegistrarTools): Registrar | Promise<Registrar>
  /**
   * Only if it lists aftermarket offers: a second adapter, which is asked about taken domains alone, and whose evidence
   * is `for_sale` with the offers. No verdict uses it.
   */
  createOffers?(settings: Readonly<Record<string, unknown>>, tools: RegistrarTools): Registrar
}

export interface RegistrarTools {
  /** Records every request in `health`. */
  readonly send: Send
  readonly health: HealthTracker
  /** For lists that change rarely; without it each process reads them itself. */
  readonly listCache?: LookupCache | undefined
  /** Takes from the budget of its host what a request for such a list costs; false if there is none left now. */
  readonly takeForList?: (() => Promise<boolean>) | undefined
  /** For resources that stay open between requests. */
  readonly onClose: (close: () => Promise<void>) => void
  readonly now: () => number
}

/** For `docs.premiumPrices`. */
export const NO_PREMIUM_PRICES = 'no; such names stay `unknown` unless another does'

type Settings = Readonly<Record<string, RegistrarSetting<unknown>>>

type ValuesOf<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends { readonly required: true }
    ? ReturnType<S[Name]['parse']>
    : ReturnType<S[Name]['parse']> | undefined
}

interface Declared<S extends Settings> extends Omit<RegistrarDeclaration, 'settings' | 'create' | 'createOffers'> {
  readonly settings: S
  create(settings: ValuesOf<S>, tools: RegistrarTools): Registrar | Promise<Registrar>
  createOffers?(settings: ValuesOf<S>, tools: RegistrarTools): Registrar
}

/** Gives `create` the types of the parsed settings. */
export function defineRegistrar<const S extends Settings>(declaration: Declared<S>): RegistrarDeclaration {
  return declaration
}

export function findRegistrar(registrars: readonly RegistrarDeclaration[], name: string): RegistrarDeclaration {
  const found = registrars.find((registrar) => registrar.name === name)
  const known = registrars.map((registrar) => registrar.name).join(', ')
  if (!found) throw new Error(`there is no registrar ${name}; the known ones are ${known}`)
  return found
}

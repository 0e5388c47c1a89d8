/** Parses `data/eligibility.json`: the rules about who may register, and the countries that satisfy those about presence. */
import { DataError, isObject } from './fields.ts'

export interface EligibilityRules {
  readonly codes: ReadonlySet<string>
  /** Undefined if the rule is not about countries. */
  countriesOf(code: string): readonly string[] | undefined
}

export function parseEligibilityRules(file: string, text: string): EligibilityRules {
  const { rules, countries } = JSON.parse(text) as { readonly rules?: unknown; readonly countries?: unknown }
  if (!isObject(rules) || !isObject(countries)) throw new DataError(`${file}: rules and countries must be objects`)
  const codes = new Set(Object.keys(rules))
  const lists = new Map(
    Object.entries(countries).map(([code, list]) => {
      if (!codes.has(code)) throw new DataError(`${file}: countries: ${code} is not a rule`)
      if (typeof list !== 'string' || !/^[A-Z]{2}(?: [A-Z]{2})*$/.test(list))
        throw new DataError(`${file}: countries: ${code} must be codes such as "DE FR"`)
      return [code, list.split(' ')]
    }),
  )
  return { codes, countriesOf: (code) => lists.get(code) }
}

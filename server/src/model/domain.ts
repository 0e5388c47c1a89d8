/**
 * Labels, suffixes and domains, and their validation.
 *
 * A *label* is the registered part ("mayfly"), a *suffix* is where it is registered ("com", "co.uk"), a *domain* is
 * both. All three are kept in lower-case A-label form (RFC 5890), the form that DNS, RDAP and registrars use; the
 * Unicode form is for display only.
 *
 * This file must never decide whether a suffix exists or is sold: that is data, and belongs to `prices/`.
 */
import { domainToASCII, domainToUnicode } from 'node:url'

export type Label = string & { readonly __label: true }
export type Suffix = string & { readonly __suffix: true }
export type Domain = string & { readonly __domain: true }

// RFC 1035 §2.3.4 and RFC 5890 §2.3.1: letters, digits, hyphens, no hyphen at either end, 63 octets.
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// RFC 1035 §2.3.4 allows 255 octets on the wire, which is 253 characters as text.
const DOMAIN_MAX = 253
// The URL parser behind `domainToASCII` would cut off, drop or decode these instead of rejecting them.
const NEVER_IN_DOMAIN = /[\s/?#\\%@:]/

export function isLabel(text: string): text is Label {
  // RFC 5891 §4.2.3.1: hyphens in third and fourth place are reserved for A-labels.
  return LABEL.test(text) && (text.slice(2, 4) !== '--' || isALabel(text))
}

export function isSuffix(text: string): text is Suffix {
  return text.length <= DOMAIN_MAX && text.split('.').every(isLabel) && !/^\d+$/.test(text)
}

/** Normalizes a typed domain to the registered form; undefined if it cannot be one. */
export function findDomain(text: string): Domain | undefined {
  const typed = text.trim().replace(/\.$/, '')
  if (NEVER_IN_DOMAIN.test(typed)) return undefined
  const ascii = domainToASCII(typed)
  const labels = ascii.split('.')
  if (ascii.length > DOMAIN_MAX || labels.length < 2 || !labels.every(isLabel)) return undefined
  // An all-digit last label makes it an IPv4 address (WHATWG URL, "ends in a number").
  if (/^\d+$/.test(labels.at(-1) ?? '')) return undefined
  return ascii as Domain
}

/** The label of a name as people write it: "Blue Heron" is `blueheron`. Undefined if it cannot be one. */
export function findLabel(name: string): Label | undefined {
  const label = findDomain(`${name.replaceAll(/\s+/g, '')}.com`)?.slice(0, -'.com'.length)
  return label !== undefined && isLabel(label) ? label : undefined
}

/** The label as people read it: `müller` of `xn--mller-kva`. */
export function lettersOf(label: Label): string {
  // Of a label of digits alone the URL parser would make an IPv4 address.
  return label.startsWith('xn--') ? domainToUnicode(label) : label
}

/** Whether it is already in the registered form that `findDomain` returns. */
export function isDomain(text: string): text is Domain {
  if (text.length > DOMAIN_MAX) return false
  const labels = text.split('.')
  return labels.length >= 2 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? '')
}

export function domainOf(label: Label, suffix: Suffix): Domain {
  return `${label}.${suffix}` as Domain
}

/** The part after the first label; `prices/` decides whether it is a known suffix. */
export function behindLabel(domain: string): string {
  return domain.slice(domain.indexOf('.') + 1)
}

function isALabel(text: string): boolean {
  // Punycode that does not decode to a U-label is returned unchanged.
  return text.startsWith('xn--') && domainToUnicode(text) !== text && domainToASCII(text) === text
}

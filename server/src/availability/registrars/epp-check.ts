/**
 * Reads the claims of a registry's response to `domain:check`: RFC 5731 §3.1.1, with the fees of RFC 8748.
 *
 * `avail="1"` alone means that a name can be registered, not at which price. So it counts only if the fee is
 * `standard`: by its class, or by the mark on the create command. Any other class is premium, and its price is the
 * registry's fee, if that is in US dollars and a single plain fee. A standard fee is not passed on: it is what the
 * operator pays, and the catalogue has the operator's price.
 */
import type { Evidence } from '../evidence.ts'
import type { Money } from '../../model/money.ts'
import type { Claim } from './claim.ts'
import { DOMAIN, EPP, FEE } from './epp-messages.ts'
import { dollarsIn, yearsIn } from './fields.ts'
import type { Element } from './xml.ts'
import { childOf, childrenOf } from './xml.ts'

interface Fee {
  readonly isStandard: boolean | undefined
  readonly price: Evidence['price']
}

/** `onePrice`: the operator declares that the registry has no price tiers; fees are ignored. */
export function claimsIn(response: Element, { onePrice }: { onePrice: boolean }): readonly Claim[] {
  const data = dataIn(response, 'resData', DOMAIN)
  const fees = feesIn(response)
  return (data ? childrenOf(data, DOMAIN, 'cd') : []).flatMap((row): Claim[] => {
    const element = childOf(row, DOMAIN, 'name')
    const name = element?.text.trim().toLowerCase() ?? ''
    const isFree = readBoolean(element?.attributes.get('avail'))
    if (isFree === undefined) return [{ name, says: 'malformed' }]
    if (!isFree) {
      const reason = childOf(row, DOMAIN, 'reason')?.text ?? ''
      return [{ name, says: /\breserved\b/i.test(reason) ? 'reserved' : 'registered' }]
    }
    if (onePrice) return [{ name, says: 'available' }]
    const fee = fees.get(name)
    if (fee?.isStandard === undefined) return [{ name, says: 'malformed' }]
    if (fee.isStandard) return [{ name, says: 'available' }]
    return [{ name, says: 'premium', ...(fee.price ? { price: fee.price } : {}) }]
  })
}

function feesIn(response: Element): ReadonlyMap<string, Fee> {
  const data = dataIn(response, 'extension', FEE)
  const fees = new Map<string, Fee>()
  if (data === undefined) return fees
  const isDollars = childOf(data, FEE, 'currency')?.text.trim() === 'USD'
  for (const row of childrenOf(data, FEE, 'cd')) {
    const name = childOf(row, FEE, 'objID')?.text.trim().toLowerCase() ?? ''
    // Two fees for one name contradict each other, even if they are equal.
    fees.set(name, fees.has(name) ? { isStandard: undefined, price: undefined } : readFee(row, isDollars))
  }
  return fees
}

function readFee(row: Element, isDollars: boolean): Fee {
  const unclear = { isStandard: undefined, price: undefined }
  const commands = childrenOf(row, FEE, 'command')
  const [create, second] = commands.filter(({ attributes }) => attributes.get('name') === 'create')
  const [renew] = commands.filter(({ attributes }) => attributes.get('name') === 'renew')
  // The attribute defaults to true: RFC 8748 §5.1.1.
  if (readBoolean(row.attributes.get('avail') ?? '1') !== true || create === undefined || second) return unclear
  const isPlain = childrenOf(create, FEE, 'fee').length === 1 && childrenOf(create, FEE, 'credit').length === 0
  const kind = childOf(row, FEE, 'class')?.text.trim().toLowerCase()
  const isMarked = readBoolean(create.attributes.get('standard') ?? '0')
  // §3.7: a registry that uses classes must call the normal one "standard". Any other may still mark the command.
  if (kind === undefined ? isMarked : kind === 'standard') return isPlain ? { ...unclear, isStandard: true } : unclear
  if (kind === undefined) return unclear
  const registration = isDollars && isPlain ? moneyOf(create) : undefined
  const years = yearsOf(create)
  if (registration === undefined || years === undefined) return { isStandard: false, price: undefined }
  const renewal = renew && yearsOf(renew) === 1 ? moneyOf(renew) : undefined
  return { isStandard: false, price: { registration, years, ...(renewal ? { renewal } : {}) } }
}

function moneyOf(command: Element): Money | undefined {
  return dollarsIn(childOf(command, FEE, 'fee')?.text.trim())
}

function yearsOf(command: Element): number | undefined {
  const period = childOf(command, FEE, 'period')
  return period?.attributes.get('unit') === 'y' && /^\d{1,2}$/.test(period.text.trim())
    ? yearsIn(Number(period.text))
    : undefined
}

function dataIn(response: Element, part: string, space: string): Element | undefined {
  const element = childOf(response, EPP, part)
  return element && childOf(element, space, 'chkData')
}

function readBoolean(text: string | undefined): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

/** The public price list and the bank's rates, in their forms. */

/** A list in the form of the public one; amounts in cents. */
export function priceListText(prices: ReadonlyMap<string, readonly [number, number, number]>): string {
  const text = (cents: number) => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
  const entries = [...prices].map(([suffix, [registration, renewal, transfer]]) => [
    suffix,
    { registration: text(registration), renewal: text(renewal), transfer: text(transfer), coupons: [] },
  ])
  return JSON.stringify({ status: 'SUCCESS', pricing: Object.fromEntries(entries) })
}

const PER_EURO: Readonly<Record<string, string>> = {
  USD: '1.25',
  JPY: '170.5',
  GBP: '0.85000',
  CHF: '0.9500',
  TRY: '45.1234',
  AUD: '1.75',
  CAD: '1.6',
  CNY: '8.5',
  ILS: '4.2',
  INR: '105.25',
  KRW: '1600.00',
  MXN: '21.5',
  ZAR: '20.1',
  BRL: '6.2',
}

/** Made-up rates in the form of the bank's file. */
export function bankRatesText(day: string, perEuro: Readonly<Record<string, string>> = {}): string {
  const cubes = Object.entries({ ...PER_EURO, ...perEuro }).map(
    ([currency, rate]) => `      <Cube currency='${currency}' rate='${rate}'/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>
    <Cube time='${day}'>
${cubes.join('\n')}
    </Cube>
  </Cube>
</gesmes:Envelope>
`
}

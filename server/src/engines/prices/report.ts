/** The outcome of reading a list or file: for the log and for metrics. */
export interface PriceReport {
  readonly what: 'price list' | 'rates' | 'own prices' | 'own rates'
  /** Of a price list: who publishes it. */
  readonly source?: string
  /** False: it was refused, and the previous content stays in use. */
  readonly ok: boolean
  readonly detail: string
}

export type OnReport = (report: PriceReport) => void

/** ", ignored: a, b": single entries of a good list that were not plausible. */
export function passedOver(names: readonly string[]): string {
  return names.length === 0 ? '' : `, ignored: ${names.join(', ')}`
}

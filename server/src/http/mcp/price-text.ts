/** A price in the text for agents, who have no other sign that it is for more than a year. */
export function priceText(price: string | null, termYears: number | undefined): string {
  return termYears !== undefined && termYears > 1 ? `${price} (${termYears} years minimum)` : `${price}`
}

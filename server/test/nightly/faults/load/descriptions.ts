/** A few dozen plain wishes; what makes each request its own is put behind them. */
const WHO = [
  'a bakery',
  'a bicycle workshop',
  'a chess school',
  'a tea house',
  'a tool library',
  'a camera repair shop',
]
const WHERE = [
  'by the harbour',
  'for busy parents',
  'in an old mill',
  'open at night',
  'run by neighbours',
  'on wheels',
]

export const DESCRIPTIONS: readonly string[] = WHO.flatMap((who) => WHERE.map((where) => `${who} ${where}`))

/** Two thousand descriptions that differ, so that nothing is answered from having been asked before. */
const WHO = [
  'a small bakery',
  'an app',
  'a studio',
  'a club',
  'a clinic',
  'a shop',
  'an open-source tool',
  'a school',
  'a lab',
  'a café',
]
const WHAT = [
  'that delivers sourdough by bicycle',
  'for tracking water leaks in old houses',
  'where neighbours lend each other tools',
  'that teaches chess to children',
  'for payroll of seasonal farm workers',
  'that repairs vintage cameras',
  'for planning long hiking trips',
  'that finds mistakes in contracts',
  'for people who learn to sleep again',
  'that roasts coffee from one valley',
]
const WHERE = [
  'in Oslo',
  'near the harbour',
  'for busy parents',
  'without any cloud',
  'on a tight budget',
  'for teams',
  'by post',
  'for beginners',
  'at night',
  'with a smile',
]
const HOW = [
  'slowly',
  'together',
  'every week',
  'in one click',
  'by hand',
  'in the open air',
  'with care',
  'for free',
  'on weekends',
  'all year',
]
const MORE = ['and records it', 'and shares the profit']

export function descriptions(): string[] {
  return WHO.flatMap((who) =>
    WHAT.flatMap((what) =>
      WHERE.slice(0, 10).flatMap((where, i) =>
        MORE.map((more, j) => `${who} ${what} ${where} ${HOW[(i + j) % 10]} ${more}`),
      ),
    ),
  )
}

/** Where a retired word is right all the same, with the reason. */
export interface Allowed {
  readonly files: RegExp
  readonly words: readonly string[]
  readonly reason: string
}

export const ALLOWED: readonly Allowed[] = [
  {
    files: /^server\/src\/http\/metrics\/(?:names|read)\.ts$/,
    words: ['lane', 'letter', 'away', 'resting'],
    reason: 'old names and an old label of metrics, kept until the next minor version',
  },
  {
    files: /^docs\/operating\/metrics\.md$/,
    words: ['lane'],
    reason: 'the page says which old label goes away',
  },
  {
    files: /^web\/src\/operator\/state-badge\.tsx$/,
    words: ['resting'],
    reason: 'a value of the operator API',
  },
  {
    files: /^CONTRIBUTING\.md$/,
    words: [
      'door',
      'lane',
      'witness',
      'testimony',
      'teller',
      'farewell',
      'tongue',
      'risen',
      'security log',
      'who can know',
      'whose word',
      'let in',
    ],
    reason: 'the table of words that are not used',
  },
  { files: /^docs\/asvs\.md$/, words: ['door', 'let in'], reason: 'quotes the titles of tests' },
  { files: /^docs\/naming\.md$/, words: ['farewell'], reason: 'an example of a topic that names are made from' },
  {
    files:
      /^(?:server\/src\/(?:availability\/registered\/zone|identity\/people\/password|language-model\/prompt)|sdk\/src\/cli\/parse|web\/src\/(?:shortcuts\/keys|api\/auth))\.ts$/,
    words: ['letter'],
    reason: 'a letter of the alphabet',
  },
  {
    files: /^server\/src\/automation\/jobs\/install\.ts$/,
    words: ['letter'],
    reason: 'the dead-letter queue, as pg-boss calls it',
  },
]

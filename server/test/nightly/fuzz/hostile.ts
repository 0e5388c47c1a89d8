/** Texts and numbers that have broken other services, as fast-check values that shrink. */
import fc from 'fast-check'

const repeat = (text: string, least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((times) => text.repeat(times))

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0001\u0008\u007f\u0085',
  '\r\nX-Injected: yes\r\n\r\n',
  '\u2028\u2029',
  // Half of a pair, from either side, and both in the wrong order.
  '\ud800',
  '\udc00',
  'x\udfff\ud83d',
  // Bidirectional controls, zero-width characters, the byte order mark, a soft hyphen, tags that nobody sees.
  '\u202egnp.exe\u202c',
  '\u2066\u2067\u2068\u2069',
  'ad\u200bmin\u200c\u200d\u2060\ufeff',
  'soft\u00adhyphen',
  '\u{e0041}\u{e0042}\u{e007f}',
  'שלום עולם',
  'مرحبا ١٢٣',
  'नमस्ते',
  '日本語の名前',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '🇩🇪🇩',
  'İıſKÅ',
  'ﬁﬃ',
  'ß ẞ ς',
  'раураӏ.com',
  '\ufdfa\ufdfa\ufdfa',
  '１２３．ｃｏｍ',
  'a。com',
  '%00%ff%zz',
  '../../../etc/passwd',
  '..%2f..%2f',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '\\',
  '\\u0000',
  '"',
  "'; --",
  "' OR '1'='1",
  '$1',
  '{{7*7}}${7*7}#{7*7}',
  '{limit}{expected}{allowed}',
  '$&$`$1',
  '%s%n%x',
  '<script>alert(1)</script>',
  '=1+1',
  '-- */',
  'xn--',
  'xn--a',
  'xn--99999999',
  '.',
  '..',
  '.com',
  'com.',
  '-',
  '--',
  '*',
  '_',
]

/** Short enough to stand anywhere. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...ODD_TEXTS), fc.constantFrom(...ODD_TEXTS)).map((two) => two.join('')),
  },
)

/** Up to some thousand characters of a kind. */
export const longText: fc.Arbitrary<string> = fc.oneof(
  repeat('a', 40, 4_000),
  // One letter under a tower of accents; joined people; marks that turn the direction with each letter.
  repeat('\u0301', 10, 2_500).map((marks) => `a${marks}`),
  repeat('\u200d👨', 10, 1_000),
  repeat('\u202ea\u202d', 10, 1_000),
  repeat('a-', 20, 2_000),
  repeat(' ', 30, 4_000).map((spaces) => `a${spaces}b`),
  repeat('ﷺ', 10, 1_000),
  repeat('.', 10, 2_000),
  repeat('xn--', 5, 500),
  repeat('\0', 10, 1_000),
)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 1, arbitrary: longText },
)

/** As they stand in JSON: some of these no JavaScript number could be written as. */
export const oddNumber: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '1e400',
    '-1e400',
    '1e-400',
    '1.0',
    '1e0',
    '5e-1',
    '0.1',
    '-1',
    '2147483647',
    '2147483648',
    '4294967296',
    '9007199254740993',
    '18446744073709551616',
    `1${'0'.repeat(400)}`,
    `0.${'3'.repeat(400)}`,
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
)

const nested = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"":', '}]']), fc.integer({ min: 1, max: 200 }))
  .map(
    ([[open = '', close = ''], depth]) => `${open.repeat(depth)}${open.endsWith(':') ? '1' : ''}${close.repeat(depth)}`,
  )

/** Any JSON, mostly of a kind that was not asked for. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '""', '[null]', '{"":null}', '[[]]', '"null"', '"1"'),
  hostileText.map((text) => JSON.stringify(text)),
  oddNumber,
  nested,
  fc.json({ maxDepth: 3 }),
)

/** Names that fields of nobody have. */
export const oddName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    'length',
    '',
    '0',
    '/',
    '~',
    '~1',
    'account_id',
    'Count',
  ),
  oddText,
)

/** No JSON at all, or almost. */
export const noJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '{',
    '}',
    '[',
    '"',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    '01',
    '+1',
    '.5',
    'NaN',
    'Infinity',
    'undefined',
    '{"a":1}{"b":2}',
    '{"a":1}\0',
    '// a\n{}',
    '{"a":"\n"}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a" 1}',
    '<a/>',
    'a=1&b=2',
  ),
  fc.integer({ min: 1, max: 30_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 60, max: 140 }).map((kilobytes) => `{"a":"${'x'.repeat(kilobytes * 1024)}"}`),
  fc.json({ maxDepth: 2 }).map((text) => text.slice(0, -1)),
)

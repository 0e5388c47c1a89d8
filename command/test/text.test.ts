/** Pure functions of the command: widths, tables, CSV, sanitizing, colors, “did you mean”, progress, prices. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { clean, jsonText } from '../src/clean.ts'
import { csvLine, parseCsv } from '../src/csv.ts'
import { openLive } from '../src/live.ts'
import { findNearest } from '../src/nearest.ts'
import { createPaint } from '../src/paint.ts'
import { openProgress, spanText, timeLeft } from '../src/progress.ts'
import { tableLines } from '../src/table.ts'
import { priceText, renewalOf } from '../src/verdict.ts'
import { cut, cutMiddle, widthOf } from '../src/width.ts'
import { createScreen } from './screen.ts'

const plain = createPaint({ write() {} }, {})
const anyText = fc.string({ unit: 'binary', maxLength: 40 })

describe('the width of a text', () => {
  test.for([
    ['plain', 5],
    ['bäckerei', 8],
    ['cafe\u0301', 4],
    ['喫茶店', 6],
    ['한국어', 6],
    ['\u1112\u1161\u11ab', 2],
    ['ｗｉｄｅ', 8],
    ['ميناء', 5],
    ['🚀', 2],
    ['👩‍🚀', 2],
    ['🇳🇴', 2],
    ['❤️', 2],
    ['✓ ● ◆ ?', 7],
    ['a\u200bb', 2],
    ['', 0],
  ] as const)('%s is %i', ([text, width]) => expect(widthOf(text)).toBe(width))

  test('a cut is never wider than asked for, and never splits a letter', () => {
    const letters = fc.array(fc.constantFrom('a', '喫', 'e\u0301', '👩‍🚀', ' ', 'ß', '🇳🇴'), { maxLength: 20 })
    fc.assert(
      fc.property(letters, fc.integer({ min: 0, max: 30 }), (parts, width) => {
        const text = parts.join('')
        for (const one of [cut(text, width), cutMiddle(text, width)]) {
          expect(widthOf(one)).toBeLessThanOrEqual(width)
          if (widthOf(text) <= width) expect(one).toBe(text)
          // The rest consists of whole letters.
          for (const piece of one.split('…')) expect(text).toContain(piece)
        }
      }),
    )
  })

  test('the end of a domain is kept', () => {
    expect(cutMiddle('a-very-long-label.co.uk', 13)).toBe('a-very….co.uk')
  })
})

describe('a table', () => {
  const headings = [
    { title: 'domain', shrinks: true },
    { title: 'price', align: 'right' as const },
    { title: 'more', isSpare: true },
  ]
  const rows = [
    [{ text: 'storkloom.com' }, { text: '$1.00' }, { text: 'x' }],
    [{ text: '喫茶店.com' }, { text: '$100.00' }, { text: 'y' }],
  ]

  test('is aligned, whatever the letters', () => {
    expect(tableLines(headings, rows, { width: 80, paint: plain })).toEqual([
      'domain           price  more',
      'storkloom.com    $1.00  x',
      '喫茶店.com     $100.00  y',
    ])
  })

  test('drops spare columns, then cuts', () => {
    expect(tableLines(headings, rows, { width: 22, paint: plain })[1]).toBe('storkloom.com    $1.00')
    expect(tableLines(headings, rows, { width: 18, paint: plain })[1]).toBe('storkloo…    $1.00')
  })

  test('fits any width, with anything in it', () => {
    const cells = fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(cells, fc.integer({ min: 20, max: 120 }), (texts, width) => {
        const lines = tableLines(
          headings,
          texts.map((row) => row.map((text) => ({ text }))),
          { width, paint: plain },
        )
        expect(lines).toHaveLength(texts.length + 1)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('CSV', () => {
  test('is parsed as it was written, except for formulas', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é', '喫', '=', "'") })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map(csvLine).join('')
        const safe = rows.map((row) => row.map((one) => (/^[=+\-@\t\r]/.test(one) ? `'${one}` : one)))
        expect(parseCsv(text, 'x')).toEqual(safe)
      }),
    )
  })

  test('a text that a spreadsheet would run is escaped', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a=b'])).toBe(`'=1+1,'+1,'-1,'@x,'\tx,"'\rx",a=b\r\n`)
  })

  test('a number is a number, and null is an empty cell', () => {
    expect(csvLine([-1.5, true, null, undefined, ''])).toBe('-1.5,true,,,\r\n')
  })

  test('is parsed with and without a byte order mark, with both line ends, and without the last one', () => {
    expect(parseCsv('\ufeffa,b\r\n1,"2\n3"\n\n"",4', 'x')).toEqual([
      ['a', 'b'],
      ['1', '2\n3'],
      ['', '4'],
    ])
  })

  test.for([
    ['a "quote" inside', 'line 2: a quote in the middle'],
    ['"a"b', 'line 2: text after the closing quote'],
    ['"a', 'line 2: a quoted cell is not closed'],
  ] as const)('%s is refused with its line', ([text, message]) => {
    expect(() => parseCsv(`header\n${text}\n`, 'f')).toThrow(message)
  })
})

describe('sanitized text', () => {
  test('never contains control characters or bidirectional controls', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // oxlint-disable-next-line no-control-regex -- that is what it is about
        const bad = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
        expect(clean(text)).not.toMatch(bad)
        expect(clean(text).isWellFormed()).toBe(true)
        expect(jsonText(text)).not.toMatch(bad)
      }),
    )
  })

  test('as JSON has the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(jsonText(value, 2))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('colors', () => {
  const terminal = { write() {}, isTTY: true }
  const isOn = (...args: Parameters<typeof createPaint>) => createPaint(...args)('x', 'green') !== 'x'

  test('are used on terminals, unless NO_COLOR or TERM disables them; the option takes precedence', () => {
    expect(isOn(terminal, {})).toBe(true)
    expect(isOn({ write() {} }, {})).toBe(false)
    expect(isOn(terminal, { NO_COLOR: '1' })).toBe(false)
    expect(isOn(terminal, { NO_COLOR: '' })).toBe(true)
    expect(isOn(terminal, { TERM: 'dumb' })).toBe(false)
    expect(isOn(terminal, { NO_COLOR: '1' }, 'always')).toBe(true)
    expect(isOn({ write() {} }, {}, 'always')).toBe(true)
    expect(isOn(terminal, {}, 'never')).toBe(false)
  })
})

describe('a guess', () => {
  test('is the nearest word, or none', () => {
    const words = ['suggest', 'check', 'history', 'favorites', 'batch']
    expect(findNearest('sugest', words)).toBe('suggest')
    expect(findNearest('chekc', words)).toBe('check')
    expect(findNearest('fav', words)).toBe('favorites')
    expect(findNearest('xyzzy', words)).toBeUndefined()
    expect(findNearest('', words)).toBeUndefined()
  })
})

describe('progress', () => {
  test('estimates the time left from the speed so far', () => {
    expect(timeLeft({ ms: 10_000, finished: 100 }, 50)).toBe(5_000)
    expect(timeLeft({ ms: 10_000, finished: 0 }, 50)).toBeUndefined()
    expect([spanText(900), spanText(61_000), spanText(7_260_000)]).toEqual(['1 s', '1 min 1 s', '2 h 1 min'])
  })

  test('is one line on a terminal, removed at the end, and nothing elsewhere', async () => {
    const screen = createScreen(60)
    let now = 0
    const progress = openProgress(screen, { now: () => now, paint: plain })
    progress.update(0, 200)
    expect(screen.lines()).toEqual([`${'░'.repeat(30)} 0 of 200 · 0 %`])
    now = 10_000
    progress.update(50, 200)
    await vi.waitUntil(() => screen.frames.length > 1, { timeout: 45_000 })
    expect(screen.lines()).toEqual([`${'█'.repeat(7)}${'░'.repeat(23)} 50 of 200 · 25 % · 30 s left`])
    progress.close()
    expect(screen.lines()).toEqual([''])
    expect(screen.isCursorShown()).toBe(true)

    let written = ''
    now = 1
    const quiet = openProgress({ write: (text) => (written += text) }, { now: () => now, paint: plain })
    quiet.update(1, 2)
    quiet.close()
    expect(written).toBe('')
  })
})

test('a redraw never clears the screen in between, and only changed lines are sent', async () => {
  const screen = createScreen(40)
  const live = openLive(screen)
  const draw = async (...lines: string[]) => {
    const before = screen.frames.length
    live.draw(() => lines)
    while (screen.frames.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await draw('head', 'one …', 'two …')
  const sent = screen.raw().length
  await draw('head', 'one is free', 'two …')
  expect(screen.raw().slice(sent)).not.toContain('head')
  await draw('head', 'one is free')
  for (const frame of screen.frames) expect(frame).toMatch(/^head\none/)
  expect(screen.lines()).toEqual(['head', 'one is free'])
  live.clear()
  live.close()
  expect(screen.lines()).toEqual([''])
})

test('a renewal has the format of the price', () => {
  const pricing = {
    currency: 'USD',
    registration_minor: 1106,
    renewal_minor: 2212,
    transfer_minor: 0,
    term_years: 1,
    due_minor: 1106,
    renews_at_minor: 2212,
    renewal_years: 1,
    total_5y_minor: 0,
    kind: 'list' as const,
    registrar: '',
    as_of: '',
  }
  expect(renewalOf('$11.06', pricing)).toBe('$22.12')
  expect(renewalOf('$0.00', { ...pricing, registration_minor: 0 })).toBe('$22.12')
  // Currencies with other minor units than hundredths.
  const yen = { ...pricing, currency: 'JPY', registration_minor: 1650, renews_at_minor: 3300 }
  expect(renewalOf('¥1650', yen)).toBe('¥3300')
  expect(renewalOf('¥1650.00', yen)).toBe('¥3300.00')
  expect(renewalOf('KD1.250', { ...pricing, currency: 'KWD', renews_at_minor: 2500 })).toBe('KD2.500')
  expect(renewalOf(null, null)).toBe('')
})

test('a price for more than a year says so', () => {
  expect(priceText('$165.40', 2)).toBe('$165.40, 2 years minimum')
  expect(priceText('$11.08', 1)).toBe('$11.08')
  expect(priceText('$11.08', undefined)).toBe('$11.08')
  expect(priceText(null, undefined)).toBe('')
})

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLabel } from '../model/domain.ts'
import type { Suffix } from '../model/domain.ts'
import type { Proposal, NameRequest } from '../model/name.ts'
import type { Names } from './names.ts'
import { openNames } from './names.ts'
import { plainNameRequest } from './plain-name-request.ts'

const ANY: NameRequest = plainNameRequest('A small bakery in Lyon')

const MANY_SCRIPTS = [
  'An open-source log viewer',
  'Dog walking service',
  'Payroll for restaurants',
  'tea',
  '部屋の掃除サービス',
  '宠物狗散步服务',
  'تطبيق لتوصيل الطعام في دبي',
  'Мобильное приложение для изучения языков',
  'Buchhaltung für kleine Handwerksbetriebe',
  'Köpek gezdirme hizmeti',
  '🙂',
  '',
]

let names: Names
beforeAll(async () => {
  names = await openNames()
})

async function propose(ask: Partial<NameRequest>, wanted = 60): Promise<readonly Proposal[]> {
  return names.propose({ ...ANY, ...ask }, wanted, new AbortController().signal)
}

async function labels(ask: Partial<NameRequest>, wanted = 60): Promise<string[]> {
  return (await propose(ask, wanted)).map(({ label }) => label)
}

describe('an answer', () => {
  it('is the same every time the same is asked', async () => {
    const other = await openNames()
    const again = await other.propose(ANY, 200, new AbortController().signal)
    expect(await propose({}, 200)).toEqual(again)
  })

  it('begins the same whether few or many names are wanted', async () => {
    expect((await labels({}, 200)).slice(0, 20)).toEqual(await labels({}, 20))
  })

  it.each(MANY_SCRIPTS)('has 800 different names for %j', async (description) => {
    const found = await labels({ description }, 800)
    expect(new Set(found).size).toBe(800)
  })

  it('never has more names than wanted', async () => {
    expect(await propose({}, 7)).toHaveLength(7)
    expect(await propose({}, 0)).toHaveLength(0)
  })

  it('is ordered by its totals', async () => {
    const totals = (await propose({}, 300)).map(({ score }) => score.total)
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
  })

  it('has some words as they stand, which please most, but at most four in ten, because they are taken', async () => {
    for (const description of ['Insurance for freelance photographers', 'tea', 'Payroll for restaurants']) {
      const found = await propose({ description }, 10)
      const single = found.filter(({ origin }) => origin.style === 'real_word' || origin.style === 'foreign')
      expect(single.length).toBeGreaterThan(0)
      expect(single.length).toBeLessThanOrEqual(4)
    }
  })

  it('says what a name makes one think of, where that was written down', async () => {
    const found = await propose({ description: 'Payroll for restaurants' }, 100)
    expect(found.filter(({ origin }) => origin.image !== undefined).length).toBeGreaterThan(10)
  })

  it('uses no word twice among its first ten names, and in another language than English none three times', async () => {
    for (const description of MANY_SCRIPTS) {
      const isOther = /\p{L}/u.test(description.replaceAll(/[a-z]/gi, ''))
      const words = (await propose({ description }, 10)).flatMap(({ origin }) => origin.parts)
      // Small words, such as the Spanish "y", may stand in any number of phrases.
      const counted = Map.groupBy(
        words.filter((word) => word.length > 3),
        (word) => word,
      )
      const most = Math.max(0, ...counted.values().map(({ length }) => length))
      expect(most, description).toBeLessThanOrEqual(isOther ? 2 : 1)
    }
  })

  it("gives the caller's own word as the reason", async () => {
    const words = new Set((await propose({ description: 'Knitting for Sailors' })).map(({ origin }) => origin.because))
    expect(words).toContain('Knitting')
    expect(words).toContain('Sailors')
  })

  it('is not led by the words every description has', async () => {
    const found = await propose({ description: 'AI platform app for coffee' }, 20)
    expect(new Set(found.map(({ origin }) => origin.because))).toEqual(new Set(['coffee']))
  })

  it('stops when the caller has hung up', async () => {
    await expect(names.propose(ANY, 60, AbortSignal.abort())).rejects.toThrow()
  })
})

describe('what was asked of the names', () => {
  it('holds for styles', async () => {
    const found = await propose({ styles: ['affix', 'short_phrase'] })
    expect(new Set(found.map(({ origin }) => origin.style))).toEqual(new Set(['affix', 'short_phrase']))
    const respelled = await propose({ styles: ['respelling'] }, 10)
    expect(respelled).toHaveLength(10)
    expect(new Set(respelled.map(({ origin }) => origin.style))).toEqual(new Set(['respelling']))
  })

  it('holds for words that a suffix completes: the name is the whole word, the domain under that suffix alone', async () => {
    const hackSuffixes = ['ry', 'st', 'et', 'se', 'ng'] as Suffix[]
    const found = await propose({ styles: ['domain_hack'], hackSuffixes }, 30)
    expect(found.length).toBeGreaterThan(5)
    for (const { label, name, suffix } of found) {
      expect(hackSuffixes).toContain(suffix)
      expect(label + suffix).toBe(name.toLowerCase())
    }
    expect(await propose({ styles: ['domain_hack'] })).toEqual([])
  })

  it('holds for words that must be in every name', async () => {
    const found = await labels({ includeWords: ['Crumb', 'oven'] }, 800)
    expect(found).toHaveLength(800)
    expect(found.filter((label) => !label.includes('crumb') && !label.includes('oven'))).toEqual([])
    expect((await labels({ includeWords: ['photography'], maxLength: 20 }, 300)).length).toBe(300)
    expect(await labels({ includeWords: ['日本'] })).toEqual([])
  })

  it('holds for words that may be in none', async () => {
    const found = await labels({ excludeWords: ['Crumb', 'kin', 'e'] }, 200)
    expect(found.length).toBeGreaterThan(50)
    expect(found.filter((label) => /crumb|kin|e/.test(label))).toEqual([])
  })

  it('holds for length', async () => {
    const found = await labels({ minLength: 6, maxLength: 8 }, 300)
    expect(found).toHaveLength(300)
    expect(found.filter(({ length }) => length < 6 || length > 8)).toEqual([])
  })

  it('holds for hyphens: some names when allowed, none when not, and the length counts them', async () => {
    const found = await labels({ hyphens: true, maxLength: 9 }, 300)
    expect(found.some((label) => label.includes('-'))).toBe(true)
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(9)
    expect((await labels({ hyphens: false }, 300)).some((label) => label.includes('-'))).toBe(false)
  })

  it('holds for digits', async () => {
    const description = 'web3 wallet for mp3 collectors'
    expect((await labels({ description }, 300)).some((label) => /\d/.test(label))).toBe(false)
    expect((await labels({ description, digits: true }, 300)).some((label) => label.includes('web3'))).toBe(true)
  })

  it('lets a liked name lead', async () => {
    const found = await propose({ like: ['Lanternfish'] }, 40)
    expect(found.some(({ origin }) => origin.because === 'lantern' || origin.because === 'fish')).toBe(true)
  })

  it('keeps away from a name that is not liked', async () => {
    expect((await labels({})).some((label) => label.includes('crumb'))).toBe(true)
    expect((await labels({ unlike: ['Crumbkin'] }, 200)).some((label) => /crumb|kin/.test(label))).toBe(false)
  })

  it('gives another answer of the same kind for another seed', async () => {
    const [first, second] = [await labels({ seed: 0 }), await labels({ seed: 1 })]
    expect(second).not.toEqual(first)
    expect(await labels({ seed: 1 })).toEqual(second)
  })

  it.each([
    ['Backups with no cloud', 'cloud'],
    ['Sweets without any added sugar or honey', 'honey'],
    ['Une boulangerie sans chocolat', 'chocolat'],
    ['an ad-free radio', 'ad'],
  ])('keeps what %j denies out of every name', async (description, denied) => {
    const found = await propose({ description }, 300)
    expect(found.filter(({ label, origin }) => label.includes(denied) || origin.because === denied)).toEqual([])
  })
})

it('any text at all gives labels that can be registered', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 3 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.boolean(),
      async (description, words, seed, flag) => {
        const ask = { description, like: words, unlike: words, excludeWords: words, seed, hyphens: flag, digits: flag }
        const found = await labels(ask, 50)
        expect(found.filter((label) => !isLabel(label))).toEqual([])
        expect(new Set(found).size).toBe(found.length)
        const held = await labels({ description, includeWords: words, seed }, 20)
        expect(held.filter((label) => !isLabel(label))).toEqual([])
      },
    ),
  )
})

import fc from 'fast-check'
import { expect, describe, it } from 'vitest'
import { type NameRequest, plainNameRequest, type Proposal } from './names.ts'
import { openNamesFrom } from './node.ts'

const ANY = plainNameRequest('A small bakery in Lyon')
// RFC 1035: letters, digits, hyphens, no hyphen at either end, 63 octets; and no A-label was asked for.
const LABEL = /^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

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
]

const names = openNamesFrom()

const propose = (ask: Partial<NameRequest>, wanted = 60) => names.propose({ ...ANY, ...ask }, wanted)
const labels = (ask: Partial<NameRequest>, wanted = 60) => propose(ask, wanted).map(({ label }) => label)
const isOneWord = ({ origin }: Proposal) => origin.style === 'real_word' || origin.style === 'foreign'

describe('an answer', () => {
  it('is the same every time the same is asked, whatever was asked before', () => {
    const first = propose({}, 200)
    for (const description of MANY_SCRIPTS) propose({ description }, 5)
    expect(propose({}, 200)).toEqual(first)
    expect(openNamesFrom().propose(ANY, 200)).toEqual(first)
  })

  it('begins the same whether few or many names are wanted', () => {
    expect(labels({}, 200).slice(0, 20)).toEqual(labels({}, 20))
  })

  it.each(MANY_SCRIPTS)('has twenty different names for %j', (description) => {
    expect(new Set(labels({ description }, 20)).size).toBe(20)
  })

  it('has none where nothing is understood', () => {
    for (const description of ['🙂', '', 'zxqv wkrjt plmnb', 'ξενοδοχείο στην Αθήνα']) {
      expect(propose({ description }), description).toEqual([])
      expect(names.summarise({ ...ANY, description })).toMatchObject({ subject: null, isSure: false })
    }
  })

  it('never has more names than wanted', () => {
    expect(propose({}, 7)).toHaveLength(7)
    expect(propose({}, 0)).toHaveLength(0)
  })

  it('is ordered by its totals', () => {
    const totals = propose({}, 300).map(({ score }) => score.total)
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
  })

  it('has at most four plain words in ten names, because they are taken', () => {
    for (const description of ['Insurance for freelance photographers', 'tea', 'Payroll for restaurants'])
      expect(propose({ description }, 10).filter(isOneWord).length, description).toBeLessThanOrEqual(4)
  })

  it('says what a name makes one think of, where that was written down', () => {
    const found = propose({ description: 'Payroll for restaurants' }, 100)
    const isTold = ({ origin }: Proposal) => origin.image !== undefined || origin.reason !== undefined
    expect(found.filter(isTold).length).toBeGreaterThan(10)
  })

  it('uses no word twice among its first ten names, and in another language none three times', () => {
    for (const description of MANY_SCRIPTS) {
      // Small words, such as the Spanish "y", may stand in any number of phrases.
      const words = propose({ description }, 10).flatMap(({ origin }) => [
        ...new Set(origin.parts.filter(({ length }) => length > 3)),
      ])
      const counts = Map.groupBy(words, (word) => word).values()
      const isEnglish = names.summarise(plainNameRequest(description)).language === 'en'
      expect(Math.max(0, ...counts.map(({ length }) => length)), description).toBeLessThanOrEqual(isEnglish ? 1 : 2)
    }
  })

  it("gives the caller's own word as the reason", () => {
    const words = new Set(propose({ description: 'Payroll for Restaurants' }).map(({ origin }) => origin.because))
    expect(words).toContain('Payroll')
    expect(words).toContain('Restaurants')
  })

  it('is not led by the words every description has', () => {
    const found = propose({ description: 'AI platform app for coffee' }, 20)
    const words = new Set(found.flatMap(({ origin }) => origin.because?.toLowerCase() ?? []))
    expect([...words].filter((word) => word !== 'coffee')).toEqual([])
  })
})

describe('what was asked of the names', () => {
  it('holds for styles', () => {
    const styles = ['compound', 'short_phrase'] as const
    const found = propose({ styles })
    expect(new Set(found.map(({ origin }) => origin.style))).toEqual(new Set(styles))
    const respelled = propose({ styles: ['respelling'] }, 10)
    expect(respelled.length).toBeGreaterThan(4)
    expect(new Set(respelled.map(({ origin }) => origin.style))).toEqual(new Set(['respelling']))
  })

  it('has respellings and domain hacks only if they were asked for', () => {
    const found = propose({ hackSuffixes: ['ry', 'st', 'et', 'se', 'ng'] }, 800)
    expect(found.filter(({ origin }) => ['respelling', 'domain_hack'].includes(origin.style))).toEqual([])
  })

  it('holds for words that a suffix completes: the name is the whole word, the domain under that suffix alone', () => {
    const hackSuffixes = ['ry', 'st', 'se', 'sh', 'er', 'le']
    const found = propose({ styles: ['domain_hack'], hackSuffixes }, 30)
    expect(found.length).toBeGreaterThan(2)
    for (const { label, name, suffix } of found) {
      expect(hackSuffixes).toContain(suffix)
      expect(label + suffix).toBe(name.toLowerCase())
    }
    expect(propose({ styles: ['domain_hack'] })).toEqual([])
  })

  it('holds for words that must be in every name', () => {
    const found = labels({ includeWords: ['Crumb', 'oven'] }, 300)
    expect(found).toHaveLength(300)
    expect(found.filter((label) => !label.includes('crumb') && !label.includes('oven'))).toEqual([])
    expect(labels({ includeWords: ['photography'], maxLength: 20 }, 300).length).toBeGreaterThan(100)
    expect(labels({ includeWords: ['日本'] })).toEqual([])
  })

  it('holds for words that may be in none', () => {
    const found = labels({ excludeWords: ['Crumb', 'kin', 'e'] }, 200)
    expect(found.length).toBeGreaterThan(50)
    expect(found.filter((label) => /crumb|kin|e/.test(label))).toEqual([])
  })

  it('holds for length', () => {
    const found = labels({ minLength: 6, maxLength: 8 }, 100)
    expect(found).toHaveLength(100)
    expect(found.filter(({ length }) => length < 6 || length > 8)).toEqual([])
  })

  it('holds for hyphens: some names when allowed, none when not, and the length counts them', () => {
    const found = labels({ hyphens: true, maxLength: 9 }, 300)
    expect(found.some((label) => label.includes('-'))).toBe(true)
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(9)
    expect(labels({ hyphens: false }, 300).some((label) => label.includes('-'))).toBe(false)
  })

  it('holds for digits', () => {
    const ask = { description: 'web3 wallet for mp3 collectors', includeWords: ['web3', 'wallet'] }
    const plain = labels(ask, 300)
    expect(plain.length).toBeGreaterThan(50)
    expect(plain.filter((label) => /\d/.test(label))).toEqual([])
    expect(labels({ ...ask, digits: true }, 300).some((label) => label.includes('web3'))).toBe(true)
  })

  it('lets a liked name lead', () => {
    const found = propose({ like: ['Lanternfish'] }, 40)
    expect(found.some(({ origin }) => origin.because === 'lantern' || origin.because === 'fish')).toBe(true)
  })

  it('keeps away from a name that is not liked', () => {
    expect(labels({}, 200).some((label) => label.includes('crumb'))).toBe(true)
    expect(labels({ unlike: ['Crumbkin'] }, 200).filter((label) => /crumb|kin/.test(label))).toEqual([])
  })

  it('gives another answer of the same kind for another seed', () => {
    const [first, second] = [labels({ seed: 0 }), labels({ seed: 1 })]
    expect(second).not.toEqual(first)
    expect(second.filter((label) => first.includes(label)).length).toBeGreaterThan(10)
    expect(labels({ seed: 1 })).toEqual(second)
  })

  it.each([
    ['Backups with no cloud', 'cloud'],
    ['Sweets without any added sugar or honey', 'honey'],
    ['Une boulangerie sans chocolat', 'chocolat'],
    ['an ad-free radio', 'ad'],
  ])('keeps what %j denies out of every name', (description, denied) => {
    const found = propose({ description }, 300)
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter(({ label, origin }) => label.includes(denied) || origin.because === denied)).toEqual([])
  })

  it('holds for the language: detected, or the one that was asked for', () => {
    const description = 'Eine Bäckerei mit eigener Mühle'
    expect(names.summarise({ ...ANY, description }).language).toBe('de')
    expect(labels({ description, language: 'en' }, 10)).not.toEqual(labels({ description }, 10))
  })

  it('holds for the names of a language model, which come first and in their order', () => {
    const proposals = [
      { name: 'Crumbfolk', reason: 'people and crumbs' },
      { name: 'Not 1 Name!' },
      { name: 'Loaf Wheel' },
    ]
    const found = propose({ proposals }, 10)
    expect(found.map(({ name }) => name).slice(0, 2)).toEqual(['Crumbfolk', 'Loaf Wheel'])
    expect(found[0]?.origin.reason).toBe('people and crumbs')
    expect(found).toHaveLength(10)
    expect(propose({ proposals, onlyProposals: true }, 10)).toHaveLength(2)
  })
})

describe('a candidate of the caller', () => {
  const admit = (name: string, ask: Partial<NameRequest> = {}) => {
    const label = name.toLowerCase().replaceAll(/[\s.]/g, '')
    return names.admit({ ...ANY, ...ask }, [{ name, label, letters: label }])[0]
  }

  it('is a name as it was written', () => {
    expect(admit('Crumbfolk')).toMatchObject({ name: 'Crumbfolk', label: 'crumbfolk', origin: { style: 'compound' } })
    expect(admit('Blue Heron')).toMatchObject({ label: 'blueheron', origin: { parts: ['blue', 'heron'] } })
  })

  it('is refused where it hurts, where it is famous, and where a rule excludes it', () => {
    expect(admit('Assholery')).toBe('unsafe')
    expect(admit('Google')).toBe('famous')
    expect(admit('Crumbfolk', { maxLength: 5 })).toBe('excluded')
    expect(admit('Crumbfolk', { excludeWords: ['folk'] })).toBe('excluded')
    expect(admit('Crumb-folk')).toBe('excluded')
    expect(admit('Crumb-folk', { hyphens: true })).toMatchObject({ label: 'crumb-folk' })
  })

  it('is read in its letters: an encoded label hides nothing', () => {
    const encoded = { name: 'ɢᴏᴏɢʟᴇ', label: 'xn--encoded', letters: 'google' }
    expect(names.admit({ ...ANY, idn: true }, [encoded])).toEqual(['famous'])
  })
})

it('a description is summarised: its language, what it is about, what it does, and what no list knows', () => {
  const description = 'Payroll software for restaurants, no spreadsheets, by Zzyqx'
  expect(names.summarise({ ...ANY, description })).toMatchObject({
    language: 'en',
    subject: 'payroll',
    does: ['pay and get paid'],
    ignored: ['spreadsheets', 'Zzyqx'],
  })
})

it('any text at all gives labels that can be registered', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 3 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.boolean(),
      (description, words, seed, flag) => {
        const ask = { description, like: words, unlike: words, excludeWords: words, seed, hyphens: flag, digits: flag }
        const found = labels(ask, 50)
        expect(found.filter((label) => !LABEL.test(label))).toEqual([])
        expect(new Set(found).size).toBe(found.length)
        const held = labels({ description, includeWords: words, seed }, 20)
        expect(held.filter((label) => !LABEL.test(label))).toEqual([])
      },
    ),
  )
})

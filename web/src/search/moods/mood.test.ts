import { expect, test } from 'vitest'
import { MOODS, moodOf } from './mood.ts'
import { emsOf } from './widths.ts'

/** Real suggestions, some of every style. */
const NAMES = [
  'Pedalier', 'Kneadful', 'Penny Farthing', 'Crumbfolk', 'Poolish', 'Wheelright', 'Bunrise', 'Domestique', 'Flourish',
  'Velocita', 'Batchelor', 'Fulcrumb', 'Velo', 'Bakerydash', 'Velvetspoke', 'Levain', 'Cyclora', 'Freewheeler',
  'Ovenbird', 'Spokesong', 'Chainlark', 'Bannock', 'Toolkit', 'Lendly', 'Nook', 'Solo', 'Quill & Co', 'Mayfly',
  'Harbor24', 'Brightside Studio', 'Asana', 'Lumina', 'Kodex', 'Tiny Desk', 'Orbit', 'Zendoo', 'Marble', 'Papaya',
] // prettier-ignore

test('a name has one mood, whatever its capitals and whenever it is asked', () => {
  const moods = NAMES.map(moodOf)
  expect(NAMES.map(moodOf)).toEqual(moods)
  expect(NAMES.map((name) => moodOf(name.toUpperCase()))).toEqual(moods)
  // As they are seen today: a change of the rule changes the look of every shared link.
  expect(Object.fromEntries(NAMES.slice(0, 6).map((name) => [name, moodOf(name)]))).toMatchInlineSnapshot(`
    {
      "Crumbfolk": "plain",
      "Kneadful": "classic",
      "Pedalier": "slim",
      "Penny Farthing": "tall",
      "Poolish": "bold",
      "Wheelright": "tall",
    }
  `)
})

test('among a few dozen names every mood occurs, and none has more than a third of them', () => {
  const counts = MOODS.map((mood) => NAMES.filter((name) => moodOf(name) === mood).length)
  expect(Math.min(...counts), JSON.stringify(counts)).toBeGreaterThan(0)
  expect(Math.max(...counts), JSON.stringify(counts)).toBeLessThanOrEqual(NAMES.length / 3)
})

test('a name that our faces cannot write has a font that can', () => {
  expect(moodOf('Güneş')).toBe('plain')
  expect(['مخبز', '面包房', 'Хлебница', 'パン屋', '빵집'].map(moodOf)).toEqual(Array(5).fill('system'))
})

test('a longer name is wider, in every mood', () => {
  for (const mood of MOODS) expect(emsOf('Pedaliers', mood)).toBeGreaterThan(emsOf('Pedalier', mood))
})

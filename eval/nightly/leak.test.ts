/**
 * Nothing of the split `test` may stand in what the engine knows.
 *
 * A plain word that is also a company's name proves nothing, and a list of famous brands that are refused is no help to
 * the engine, so both are left out; words that the dictionary does not know are listed in data/coincidences.txt. A coined
 * name that stands in the data by coincidence is a company's name all the same: strike it there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBareName } from '../bare-name.ts'
import { findCompanies } from '../companies.ts'
import { readDictionary } from '../dictionary.ts'
import { lettersOf } from '../words-of-name.ts'

const KNOWLEDGE = `${import.meta.dirname}/../../server/data/names`
const REFUSED = /brand/
const COINCIDENCES = `${import.meta.dirname}/../data/coincidences.txt`
const companies = findCompanies()
const heldBack = (companies ?? []).filter(({ split }) => split === 'test')

function listTexts(): { file: string; text: string }[] {
  return (
    readdirSync(KNOWLEDGE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !REFUSED.test(entry.name))
      .map((entry) => ({ file: entry.name, text: readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1') }))
      // Vectors and weights hold no words.
      .filter(({ text }) => !text.includes('\0'))
  )
}

/** Entries as they are separated in any of the files, and every single word of them. */
function entriesOf(text: string): Set<string> {
  const entries = text.replaceAll('+', '').split(/[^a-zA-Z0-9\x80-\xFF' -]+/)
  return new Set([...entries, ...entries.flatMap((entry) => entry.split(' '))].map(lettersOf))
}

test('no name of a held-back company stands in the knowledge of the engine', (context) => {
  context.skip(companies === undefined, 'there is no ../shared/data/companies.jsonl to compare with')
  const dictionary = readDictionary()
  const coincidences = new Set(readFileSync(COINCIDENCES, 'utf8').match(/^[a-z]+(?=\t)/gm))
  const names = heldBack
    .flatMap(({ name }) => findBareName(name) ?? [])
    .filter((name) => {
      const words = name.split(/[^\p{L}]+/u).map(lettersOf)
      return (
        lettersOf(name).length >= 5 && !coincidences.has(lettersOf(name)) && words.some((word) => !dictionary.has(word))
      )
    })
  expect(names.length).toBeGreaterThan(100)
  const found = listTexts().flatMap(({ file, text }) => {
    const entries = entriesOf(text)
    return names.filter((name) => entries.has(lettersOf(name))).map((name) => `${name} in ${file}`)
  })
  expect(found).toEqual([])
})

test('no description of a held-back company stands in the knowledge of the engine', (context) => {
  context.skip(companies === undefined, 'there is no ../shared/data/companies.jsonl to compare with')
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, ' ')
      .trim()
  const known = listTexts().map(({ file, text }) => ({ file, text: plain(text) }))
  const descriptions = heldBack
    .map(({ description }) => plain(description))
    .filter((text) => text.split(' ').length >= 4)
  expect(descriptions.length).toBeGreaterThan(100)
  const found = descriptions.flatMap((description) =>
    known.filter(({ text }) => text.includes(description)).map(({ file }) => `"${description}" in ${file}`),
  )
  expect(found).toEqual([])
})

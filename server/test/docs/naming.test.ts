/** docs/naming.md says how to add to the knowledge: whoever follows it gets what it promises. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compile } from '../../../scripts/names/compile.ts'
import { openKnowledge } from '../../src/names/knowledge/knowledge.ts'
import type { Knowledge } from '../../src/names/knowledge/knowledge.ts'
import { writePacked } from '../../src/names/knowledge/packed.ts'
import { plainNameRequest } from '../../src/names/plain-name-request.ts'
import { propose } from '../../src/names/propose.ts'
import { understand } from '../../src/names/understand/understand.ts'

const SOURCES = new URL('../../data/names/', import.meta.url)
const page = readFileSync(new URL('../../../docs/naming.md', import.meta.url), 'utf8')
const additions = page
  .matchAll(/In `server\/data\/names\/([^`]+)`[^\n]*\n(?:[^\n`]+\n)?\n```\n([\s\S]*?)```/gi)
  .toArray()
const folder = mkdtempSync(join(tmpdir(), 'naming-'))
let knowledge: Knowledge

beforeAll(() => {
  cpSync(SOURCES, folder, { recursive: true })
  for (const [, file = '', lines = ''] of additions) {
    const path = join(folder, file)
    writeFileSync(path, existsSync(path) ? `${readFileSync(path, 'utf8').trimEnd()}\n${lines}` : lines)
  }
  knowledge = openKnowledge(writePacked(compile(pathToFileURL(`${folder}/`))).buffer)
})
afterAll(() => rmSync(folder, { recursive: true }))

function namesFor(description: string): string[] {
  return propose(knowledge, plainNameRequest(description), 60, new AbortController().signal).map(({ name }) => name)
}

function aspectsOf(description: string): string[] {
  return understand(knowledge, plainNameRequest(description)).leads.map(({ aspect }) => knowledge.aspects.head(aspect))
}

it('the page shows an addition to each of four files', () => {
  expect(additions.map(([, file]) => file)).toEqual([
    'aspects/k.txt',
    'concepts.txt',
    'languages/eo.txt',
    'native/eo.txt',
  ])
})

it('a new aspect gives its names', () => {
  expect(namesFor('kombucha brewery for the neighbourhood')).toEqual(expect.arrayContaining(['Mother Jar', 'Scobella']))
})

it('a new concept leads to its aspects, and not when it is denied', () => {
  expect(aspectsOf('people who take the ferry to work')).toContain('boat')
  expect(aspectsOf('people who take the ferry to work by truck')).not.toContain('boat')
})

it('a new language is known, understood, denied in, and named in', () => {
  const { language } = understand(knowledge, plainNameRequest('malgranda kafejo por niaj amikoj sen sukero'))
  expect(language).toBe('eo')
  expect(aspectsOf('malgranda kafejo por niaj amikoj sen sukero')).toEqual(expect.arrayContaining(['coffee', 'friend']))
  expect(aspectsOf('malgranda kafejo por niaj amikoj sen sukero')).not.toContain('sugar')
  expect(namesFor('malgranda kafejo por niaj amikoj')).toEqual(expect.arrayContaining(['Vaporeto', 'Matena Taso']))
})

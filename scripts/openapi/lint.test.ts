/** The document passes what others hold documents against: the recommended rules of Redocly and of Spectral. */
import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'

const FILE = new URL('../../api/openapi.json', import.meta.url).pathname
const source = await readFile(FILE, 'utf8')

async function lintByRedocly(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: text, absoluteRef: FILE, config })
  return found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`)
}

async function lintBySpectral(text: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  // Its own types do not know that a rule set may stand alone.
  linter.setRuleset({ extends: rulesets.oas } as unknown as spectral.RulesetDefinition)
  const found = await linter.run(text)
  return found.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`)
}

test('Redocly finds nothing', async () => {
  expect(await lintByRedocly(source)).toEqual([])
})

test('Spectral finds nothing', async () => {
  expect(await lintBySpectral(source)).toEqual([])
})

test('both find what is wrong', async () => {
  const document = JSON.parse(source) as { paths: Record<string, Record<string, { operationId?: string }>> }
  delete document.paths['/v1/generate']?.['post']?.operationId
  const wrong = JSON.stringify(document)
  expect((await lintByRedocly(wrong)).length).toBeGreaterThan(0)
  expect((await lintBySpectral(wrong)).length).toBeGreaterThan(0)
})

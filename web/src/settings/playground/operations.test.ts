import { expect, test } from 'vitest'
import { CODE_LANGUAGES, codeOf, OPERATIONS, SHAPES } from './operations.ts'

const URL_HERE = 'https://names.example'

test('the code of every operation names its path, and reads the key from the environment', () => {
  for (const operation of OPERATIONS) {
    const { input, callOf } = SHAPES[operation]
    const call = callOf(input?.sample ?? '')
    for (const language of CODE_LANGUAGES) {
      const code = codeOf(language, operation, call, URL_HERE)
      expect(code).toContain('NAMEWRIGHT_API_KEY')
      expect(code).toContain(language === 'typescript' ? URL_HERE : `${URL_HERE}${call.path}`)
      expect(code).not.toMatch(/nw_/)
    }
  }
})

test('a quote in a description does not end the argument of the shell', () => {
  const code = codeOf('curl', 'generate', SHAPES.generate.callOf(`it's $(date)`), URL_HERE)
  expect(code).toContain(String.raw`-d '{"description":"it'\''s $(date)","count":3}'`)
})

test('domains are separated by commas, spaces or lines', () => {
  expect(SHAPES.check.callOf('a.com, b.com\nc.com ,').body).toEqual({ domains: ['a.com', 'b.com', 'c.com'] })
})

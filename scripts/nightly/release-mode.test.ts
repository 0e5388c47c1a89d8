/** Who may do what: a dry run everywhere, a release only from a tag in CI. */
import { expect, test } from 'vitest'
import { parseMode, USAGE } from '../release/mode.ts'

const CI = { GITHUB_ACTIONS: 'true', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.3' }

test('a dry run works everywhere, and never has a tag', () => {
  for (const env of [{}, CI]) {
    expect(parseMode(['--dry-run'], env)).toEqual({ isDryRun: true, part: 'all', folders: [] })
  }
  expect(parseMode(['--dry-run', '--image-only'], {}).part).toBe('image')
  expect(parseMode(['--dry-run', '--join', 'a', 'b'], {})).toMatchObject({ part: 'join', folders: ['a', 'b'] })
})

test('without --dry-run it explains itself, but for a tag in CI', () => {
  const others = [
    {},
    { ...CI, GITHUB_ACTIONS: '' },
    { ...CI, GITHUB_REF_TYPE: 'branch' },
    { ...CI, GITHUB_REF_NAME: undefined },
  ]
  for (const env of others) expect(() => parseMode([], env)).toThrow(USAGE)
  expect(parseMode([], CI)).toEqual({ isDryRun: false, tag: 'v1.2.3', part: 'all', folders: [] })
})

test('arguments that make no sense are refused', () => {
  for (const args of [['--publish'], ['folder'], ['--join'], ['--join', '--image-only', 'a']]) {
    expect(() => parseMode(['--dry-run', ...args], {})).toThrow(USAGE)
  }
})

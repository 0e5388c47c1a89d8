/** Release notes: the section of the version, and every way in which it can be missing. */
import { expect, test } from 'vitest'
import { makeNotes, sectionOf } from '../release/notes.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something new.

## [1.1.0] - 2026-11-30

### Fixed

- A bug.

## [1.0.0] - 2026-10-01

- The first.

[1.1.0]: https://example.com/1.1.0
`

test('a section ends where the next one begins, or the links', () => {
  expect(sectionOf(CHANGELOG, '1.1.0')).toBe('### Fixed\n\n- A bug.')
  expect(sectionOf(CHANGELOG, '1.0.0')).toBe('- The first.')
  expect(sectionOf(CHANGELOG, 'Unreleased')).toBe('### Added\n\n- Something new.')
})

test('a section that is missing, empty, without a date or there twice stops a release', () => {
  expect(() => sectionOf(CHANGELOG, '1.2.0')).toThrow('no section [1.2.0]')
  expect(() => sectionOf('## [1.2.0] - 2026-12-01\n\n### Added\n\n## [1.1.0]\n\n- x', '1.2.0')).toThrow('is empty')
  expect(() => sectionOf('## [1.2.0]\n\n- x', '1.2.0')).toThrow('has no date')
  expect(() => sectionOf(`${CHANGELOG}\n## [1.1.0] - 2026-12-01\n\n- x`, '1.1.0')).toThrow('2 sections')
  // 1.1.0 is not 1.1, and not 1.1.0-rc.1.
  expect(() => sectionOf(CHANGELOG, '1.1')).toThrow('no section')
  expect(() => sectionOf(CHANGELOG, '1.1.0-rc.1')).toThrow('no section')
})

test('only a dry run takes what is unreleased instead', () => {
  expect(makeNotes(CHANGELOG, '1.2.0', 'sha256:00', true)).toContain('- Something new.')
  expect(() => makeNotes(CHANGELOG, '1.2.0', 'sha256:00', false)).toThrow('no section [1.2.0]')
  const notes = makeNotes(CHANGELOG, '1.1.0', 'sha256:00', false)
  expect(notes).toMatch(/^### Fixed\n\n- A bug\./)
  expect(notes).toContain('ghcr.io/namewright/namewright:1.1.0@sha256:00')
})

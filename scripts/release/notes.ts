/** The notes of a release: the section of CHANGELOG.md for the version. */

/** A heading of the second level: `## [1.2.3] - 2026-11-30`, `## [Unreleased]`. */
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/

/** The text of a section, without its heading. A section that is missing or empty throws. */
export function sectionOf(changelog: string, name: string): string {
  const lines = changelog.split('\n')
  const starts = lines.flatMap((line, index) => (HEADING.exec(line)?.[1] === name ? [index] : []))
  const [start] = starts
  if (start === undefined) throw new Error(`CHANGELOG.md has no section [${name}]`)
  if (starts.length > 1) throw new Error(`CHANGELOG.md has ${starts.length} sections [${name}]`)
  if (name !== 'Unreleased' && HEADING.exec(lines[start] ?? '')?.[2] === undefined) {
    throw new Error(`CHANGELOG.md: the section [${name}] has no date: ## [${name}] - 2026-11-30`)
  }
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith('## ') || /^\[[^\]]+\]: /.test(line))
  const text = rest.slice(0, end === -1 ? undefined : end).join('\n')
  // Headings alone say nothing.
  if (!text.split('\n').some((line) => line.trim() !== '' && !line.startsWith('#'))) {
    throw new Error(`CHANGELOG.md: the section [${name}] is empty`)
  }
  return text.trim()
}

/** The notes of a release: the section of CHANGELOG.md for the version, and how to get and verify the image. */

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

/** In a dry run the section of the version may not be written yet; then it is what is unreleased. */
export function makeNotes(changelog: string, version: string, digest: string, isDryRun: boolean): string {
  let section: string
  try {
    section = sectionOf(changelog, version)
  } catch (error) {
    if (!isDryRun) throw error
    section = sectionOf(changelog, 'Unreleased')
  }
  const guide = `https://github.com/namewright/namewright/blob/v${version}/docs/deploying.md#the-image`
  return `${section}

### Image

\`ghcr.io/namewright/namewright:${version}@${digest}\`

[How to verify and run it](${guide}). \`checksums.txt\` has the SHA-256 of every file of this release.
`
}

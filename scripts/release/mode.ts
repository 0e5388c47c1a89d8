/** What a run of the release script is to do, from its arguments and the environment of CI. */

export interface Mode {
  /** A dry run needs no tag and no section in CHANGELOG.md. */
  readonly isDryRun: boolean
  /** The tag that is released; none in a dry run. */
  readonly tag?: string
  /** All of it; the image of this architecture; or what other machines have made, joined. */
  readonly part: 'all' | 'image' | 'join'
  /** For `join`: the folders of the other machines. */
  readonly folders: readonly string[]
}

export const USAGE = `pnpm release --dry-run                     make everything that a release publishes, into deploy/out
pnpm release --dry-run --image-only        only the image of this architecture and its bill of materials
pnpm release --dry-run --join A B          join what two machines have made, each in a folder

Nothing is published from here. A release is a tag: push v1.2.3, and .github/workflows/release.yml makes the same files from
it, signs them and publishes them. See docs/releasing.md.`

/** Throws the usage when there is nothing that it may do. */
export function parseMode(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Mode {
  const options = args.filter((arg) => arg.startsWith('--'))
  const folders = args.filter((arg) => !arg.startsWith('--'))
  const known = new Set(['--dry-run', '--image-only', '--join'])
  const isJoin = options.includes('--join')
  const isImage = options.includes('--image-only')
  const isWrong = options.some((option) => !known.has(option)) || (isJoin && isImage) || isJoin !== folders.length > 0
  if (isWrong) throw new Error(USAGE)
  const part = isJoin ? 'join' : isImage ? 'image' : 'all'
  if (options.includes('--dry-run')) return { isDryRun: true, part, folders }
  const tag = env['GITHUB_REF_NAME']
  const isTagInCi = env['GITHUB_ACTIONS'] === 'true' && env['GITHUB_REF_TYPE'] === 'tag'
  if (!isTagInCi || tag === undefined) throw new Error(USAGE)
  return { isDryRun: false, tag, part, folders }
}

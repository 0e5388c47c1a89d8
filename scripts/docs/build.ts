/**
 * The manual: `docs/` → `server/build/docs/`, which the service hands out under /docs. `--if-stale` does nothing when it
 * was made of these sources.
 */
import { hash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** As much of VitePress as is used. */
interface Vitepress {
  readonly build: (root: string, options: { readonly outDir: string }) => Promise<void>
}

const ROOT = `${import.meta.dirname}/../..`
const DOCS = `${ROOT}/docs`
const OUT = `${ROOT}/server/build/docs`
const STAMP = `${ROOT}/server/build/docs.sha256`
const SOURCES = ['docs/**/*.{md,ts,css,svg,png}', 'docs/package.json', 'scripts/docs/**/*.*', 'web/public/favicon.svg']
const PACKAGES = `${DOCS}/node_modules`

export async function buildDocs(): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  const { build } = (await import(`${PACKAGES}/vitepress/dist/node/index.js`)) as Vitepress
  await build(DOCS, { outDir: OUT })
  copyFileSync(`${ROOT}/web/public/favicon.svg`, `${OUT}/favicon.svg`)
  copyReference()
  writeFileSync(`${OUT}/policy.json`, JSON.stringify({ scripts: inlineScripts() }))
  writeFileSync(STAMP, stamp())
}

/** Scalar draws /docs/reference from /openapi.json. Its source maps would be four times its size. */
function copyReference(): void {
  const home = `${PACKAGES}/@scalar/api-reference`
  const to = `${OUT}/reference`
  mkdirSync(to, { recursive: true })
  cpSync(`${home}/dist/browser`, to, {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && !path.endsWith('/standalone.js'),
  })
  copyFileSync(`${home}/dist/style.css`, `${to}/style.css`)
  for (const name of ['index.html', 'open.js', 'own.css'])
    copyFileSync(`${import.meta.dirname}/reference/${name}`, `${to}/${name}`)
}

/** The hashes of the inline scripts of all pages, for the content security policy of the node. */
function inlineScripts(): string[] {
  const found = new Set<string>()
  for (const page of globSync('**/*.html', { cwd: OUT })) {
    const text = readFileSync(join(OUT, page), 'utf8')
    for (const [, script = ''] of text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g))
      found.add(`sha256-${hash('sha256', script, 'base64')}`)
    const markup = text.replaceAll(/<script[^]*?<\/script>/g, '')
    if (/<[a-z][^>]*\s(?:on[a-z]+|style)=/i.test(markup)) throw new Error(`${page} has an inline handler or style`)
  }
  return [...found]
}

function stamp(): string {
  const files = SOURCES.flatMap((glob) => globSync(glob, { cwd: ROOT }))
  const texts = files
    .filter((file) => !file.includes('node_modules/') && !/\.vitepress\/(?:cache|\.temp)\//.test(file))
    .toSorted()
    .map((file) => hash('sha256', readFileSync(`${ROOT}/${file}`)))
  return hash('sha256', texts.join('\n'))
}

export function isDocsStale(): boolean {
  return !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp()
}

if (import.meta.main && !(process.argv.includes('--if-stale') && !isDocsStale())) await buildDocs()

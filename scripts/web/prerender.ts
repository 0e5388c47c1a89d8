/**
 * The first screen in every language, as pages beside the one of the app: `home.<language>.html`. The service sends one of
 * them to who opens the search page; see `server/src/features/site/home-page.ts`. All pages get the script that sets the theme
 * before the first paint, by itself and not as a module, because modules run later.
 */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/** As much of Vite as is used. */
export interface DevBundler {
  readonly transformWithOxc: (code: string, name: string) => Promise<{ readonly code: string }>
  readonly minifySync: (name: string, code: string) => { readonly code: string }
  readonly createServer: (options: object) => Promise<{
    ssrLoadModule(path: string): Promise<unknown>
    close(): Promise<void>
  }>
}

/** As `web/src/prerender.tsx` makes it. */
interface HomeParts {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  readonly description: string
  readonly html: string
}

/** A file of the build, and the module that it was made of. */
export interface BuiltFile {
  readonly fileName: string
  readonly facadeModuleId?: string | null
}

const APP = /<div id="app">[^]*<\/div>(?=\s*<noscript>)/
const FONT = /^assets\/bricolage-grotesque-600-letters-.*\.woff2$/

export async function prerenderHome(
  vite: DevBundler,
  { config, folder, built }: { readonly config: string; readonly folder: string; readonly built: readonly BuiltFile[] },
): Promise<void> {
  pretendBrowser()
  const server = await vite.createServer({
    configFile: config,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { prerender } = (await server.ssrLoadModule('/src/prerender.tsx')) as {
      prerender: () => Promise<readonly HomeParts[]>
    }
    const page = await withAppearance(vite, folder)
    const font = built.find(({ fileName }) => FONT.test(fileName))?.fileName
    for (const home of await prerender()) {
      const texts = built.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`catalog/first/${home.language}`))
      if (!texts || font === undefined) throw new Error(`no texts or no font for ${home.language}`)
      writeFileSync(`${folder}/home.${home.language}.html`, pageOf(page, home, { texts: texts.fileName, font }))
    }
  } finally {
    await server.close()
  }
}

async function withAppearance({ transformWithOxc, minifySync }: DevBundler, folder: string): Promise<string> {
  const source = readFileSync(new URL('../../web/src/appearance.ts', import.meta.url), 'utf8')
  const { code } = await transformWithOxc(source, 'appearance.ts')
  const { code: script } = minifySync('appearance.js', code)
  const name = `assets/appearance-${hash('sha256', script, 'base64url').slice(0, 8)}.js`
  writeFileSync(`${folder}/${name}`, script)
  const index = `${folder}/index.html`
  const page = readFileSync(index, 'utf8').replace('<script ', `<script src="/${name}"></script>\n    <script `)
  writeFileSync(index, page)
  return page
}

function pageOf(
  page: string,
  { language, direction, title, description, html }: HomeParts,
  { texts, font }: { readonly texts: string; readonly font: string },
): string {
  const filled = page
    .replace('<html lang="en">', `<html lang="${language}" dir="${direction}">`)
    .replace(/<title>[^<]*/, () => `<title>${escaped(title)}`)
    .replace(/(<meta\s+name="description"\s+content=")[^"]*/, (_all, before: string) => before + escaped(description))
    .replace(
      '</head>',
      `  <link rel="modulepreload" crossorigin href="/${texts}">\n` +
        `    <link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">\n  </head>`,
    )
    .replace(APP, () => `<div id="app"><div data-prerendered>${html}</div></div>`)
  if (!filled.includes('data-prerendered')) throw new Error('index.html has no place for the first screen')
  return filled
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

/** Modules of the app listen to other tabs when they are loaded. */
function pretendBrowser(): void {
  class NoChannel {
    addEventListener(): void {}
    postMessage(): void {}
  }
  Object.assign(globalThis, { addEventListener: () => undefined, BroadcastChannel: NoChannel })
  Object.defineProperty(globalThis, 'localStorage', { value: undefined })
}

/** A build of the web app in a folder of its own, as small as one can be. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

export const SCRIPT = `console.log('here')\n${'// the same line again and again\n'.repeat(100)}`
export const PAGE = `<!doctype html><title>Namewright</title>${'<p>a page</p>'.repeat(100)}`

export interface MadeUpApp extends AsyncDisposable {
  readonly folder: string
}

export async function makeUpApp(): Promise<MadeUpApp> {
  const folder = await mkdtemp(join(tmpdir(), 'namewright-web-'))
  await Promise.all([mkdir(join(folder, 'assets')), mkdir(join(folder, 'icons'))])
  const files: Record<string, string | Buffer> = {
    'index.html': PAGE,
    'assets/app-0a1b2c3d.js': SCRIPT,
    // As a build would leave it: distinguishable from what the service packs itself.
    'assets/ready-0a1b2c3d.css': '/* a style */\n'.repeat(200),
    'assets/ready-0a1b2c3d.css.br': brotliCompressSync('/* packed before */'),
    'assets/font-0a1b2c3d.woff2': Buffer.alloc(2_000, 7),
    'icons/icon-192.png': Buffer.alloc(2_000, 9),
    'manifest.webmanifest': '{"name":"Namewright"}',
    'service-worker.js': 'self.addEventListener("fetch", () => {})',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'favicon.ico': Buffer.alloc(20),
    'robots.txt': 'User-agent: *\nDisallow: /settings\n',
    'secret-notes.txt': 'not an address of the app',
  }
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

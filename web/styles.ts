/**
 * Two sheets from one set of classes: `app.css` has those that the first load uses, `later.css` has all of them. The second
 * one is complete, because classes of the same weight depend on their order: half of them in each sheet would mix it up.
 *
 * `@source first;` in a sheet stands for the files of the first load.
 */
import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Plugin } from 'vite'
import { firstFiles } from './first-load.ts'

const MARK = '@source first;'

export function firstStyles({ start, page }: { readonly start: string; readonly page: string }): Plugin {
  return {
    name: 'first-styles',
    // Before Tailwind reads the sheet.
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('.css')) return undefined
      const sheet = readFileSync(id, 'utf8')
      if (!sheet.includes(MARK)) return undefined
      const sources = [...firstFiles(start), page].map((file) => `@source '${relative(dirname(id), file)}';`)
      return sheet.replace(MARK, sources.join('\n'))
    },
  }
}

/** Every relative link leads to a file that exists, and to a heading that stands there. */
import { posix } from 'node:path'
import type { Violation } from '../violation.ts'
import type { Page } from './markdown.ts'

export function checkLinks(pages: ReadonlyMap<string, Page>, paths: ReadonlySet<string>): Violation[] {
  const violations: Violation[] = []
  for (const [file, { links }] of pages) {
    for (const { text, line } of links) {
      const advice = judge(file, text, pages, paths)
      if (advice !== undefined) violations.push({ file, line, rule: 'link', advice })
    }
  }
  return violations
}

function judge(
  file: string,
  link: string,
  pages: ReadonlyMap<string, Page>,
  paths: ReadonlySet<string>,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link)) return undefined
  const [path = '', anchor = ''] = link.replaceAll('%20', ' ').split('#')
  const target = resolve(file, path)
  if (!paths.has(target)) return `${link}: there is no ${target} in this repository`
  const page = pages.get(target)
  if (anchor === '' || page === undefined || page.anchors.has(anchor)) return undefined
  return `${link}: ${target} has no heading #${anchor}`
}

function resolve(file: string, path: string): string {
  if (path === '') return file
  const joined = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(file), path)
  return posix.normalize(joined).replace(/\/$/, '')
}

/** How VitePress builds the manual: its order, and what the content security policy of the node allows. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { labelCells, linkToRepository, slugOf, takeBracesLiterally } from './markdown.ts'
import { descriptionOf, writeForPrograms } from './for-programs.ts'

export const REPOSITORY = 'https://github.com/namewright/namewright'

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link })

/** The order of the manual, by reader. A page that stands nowhere here fails the build's test. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Use the API',
    items: [
      page('First names', '/quickstart'),
      page('Generate names', '/generate'),
      page('Check domains and names', '/check'),
      page('History, favorites, watching', '/watching'),
      page('Batches', '/batches'),
      page('Webhooks', '/webhooks'),
      page('Keys, scopes, quota, OAuth', '/permissions'),
      page('Errors', '/errors'),
      page('Limits and versions', '/limits'),
    ],
  },
  { text: 'From an agent', items: [page('Connect', '/guides/agents'), page('The tools', '/mcp')] },
  {
    text: 'Embed it',
    items: [
      page('In a checkout or panel', '/guides/embedding-in-a-checkout'),
      page('On a web page', '/embedding'),
      page('A source of your own', '/guides/a-source-of-your-own'),
    ],
  },
  { text: 'The command', items: [page('namewright', '/cli')] },
  {
    text: 'Host it',
    items: [
      page('One machine in five minutes', '/demo'),
      page('Production', '/operations'),
      page('Settings', '/configuration'),
      page('Sources, registrars and prices', '/data-sources'),
      page('The index', '/operating/the-index'),
      page('A language model', '/language-model'),
      page('People and the app', '/people'),
      page('Backup', '/operating/backup'),
      page('Upgrade', '/operating/migrations'),
      page('Metrics and alerts', '/operating/metrics'),
    ],
  },
  {
    text: 'How it works',
    items: [
      page('Verdicts', '/availability'),
      page('Names', '/naming'),
      page('Failure and overload', '/reliability'),
      page('Privacy', '/privacy'),
      page('Security', '/security'),
      page('Scaling', '/scaling'),
      page('Beside others', '/comparison'),
      page('Words', '/glossary'),
    ],
  },
]

/** For those who change the code; they stay in the repository. */
const NOT_IN_THE_MANUAL = [
  'decisions/**',
  'design/**',
  'asvs.md',
  'benchmark.md',
  'performance.md',
  'releasing.md',
  'guides/adding-*.md',
]

// Colors as classes: a style attribute on each token would need `unsafe-inline`, or a hash each.
const colors = transformerStyleToClass({ classPrefix: 'k' })

export default defineConfig({
  title: 'Namewright',
  description: 'Names for a project whose domains can be registered now, with what they cost.',
  lang: 'en',
  base: '/docs/',
  cleanUrls: true,
  srcExclude: NOT_IN_THE_MANUAL,
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    // `{#id}` after a heading is no syntax of the repository's viewer either.
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    codeTransformers: [colors],
    config(md) {
      md.use(labelCells)
      md.use(takeBracesLiterally)
      md.use(linkToRepository, { repository: REPOSITORY, excluded: NOT_IN_THE_MANUAL })
    },
  },
  // Without this the switch injects a <style> element, which the policy refuses.
  appearance: { disableTransition: false },
  // The policy refuses style attributes. These two say the same on every page, and `own.css` has what they are for.
  transformHtml: (html) => html.replaceAll(/ style="(?:position:relative|--vp-vh:0px);"/g, ''),
  transformPageData(data, { siteConfig }) {
    data.description ||= descriptionOf(readFileSync(join(siteConfig.srcDir, data.filePath), 'utf8'))
  },
  buildEnd(site) {
    writeFileSync(join(site.outDir, 'code.css'), colors.getCSS())
    writeForPrograms(site, SIDEBAR)
  },
  head: [
    ['link', { rel: 'stylesheet', href: '/docs/code.css' }],
    ['link', { rel: 'icon', href: '/docs/favicon.svg', type: 'image/svg+xml' }],
  ],
  themeConfig: {
    logo: { src: '/favicon.svg', alt: '' },
    // The logo leads to the app, whose pages link to the manual.
    logoLink: { link: '/', target: '_self' },
    siteTitle: 'Namewright',
    nav: [
      { text: 'Manual', link: '/', activeMatch: '^/docs/(?!reference)' },
      { text: 'API reference', link: '/reference', target: '_self' },
    ],
    sidebar: SIDEBAR,
    search: { provider: 'local' },
    outline: [2, 3],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
    externalLinkIcon: true,
  },
  vite: { publicDir: false },
})

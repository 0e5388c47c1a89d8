/**
 * The first screen as HTML, made by the build: what the app renders before it knows who asks. A browser shows it as soon as
 * the styles are there, and the app replaces it by the same. Runs in Node, never in a browser.
 */
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { i18n, say } from './i18n/i18n.ts'
import { directionOf, LANGUAGES, loadTexts } from './i18n/languages.ts'
import { router } from './routes.tsx'

export interface Prerendered {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  readonly description: string
  readonly html: string
}

export async function prerender(): Promise<readonly Prerendered[]> {
  router.update({ history: createMemoryHistory({ initialEntries: ['/'] }) })
  await router.load()
  const pages: Prerendered[] = []
  for (const { code } of LANGUAGES) {
    i18n.loadAndActivate({ locale: code, messages: await loadTexts(code, 'first') })
    const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    const html = renderToString(
      <QueryClientProvider client={queries}>
        <I18nProvider i18n={i18n}>
          <RouterProvider router={router} />
        </I18nProvider>
      </QueryClientProvider>,
    )
    queries.clear()
    pages.push({
      language: code,
      direction: directionOf(code),
      title: say('search.title'),
      description: say('search.lead'),
      html: quiet(html),
    })
  }
  return pages
}

/** Without what needs the script, and without what the policy of our pages forbids. */
function quiet(html: string): string {
  return html
    .replaceAll(/<script\b[^]*?<\/script>|<template\b[^]*?<\/template>|<!--[^]*?-->/g, '')
    .replaceAll(/ (?:style|popoverTarget|popovertarget)="[^"]*"/g, '')
    .replaceAll(/<(?:button type="button"|select)/g, '$& disabled')
}

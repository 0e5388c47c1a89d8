/** The start: appearance, language, session; then the page. */
import './app.css'
import { I18nProvider } from '@lingui/react'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { NamewrightError } from '@namewright/client'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { renewSession, sessionQuery } from './api/session.ts'
import { onTabChange } from './api/tabs.ts'
import { i18n, activateLocale } from './i18n/i18n.ts'
import { chooseLanguage, isLanguage } from './i18n/languages.ts'
import { getPreferences, onPreferences, showPreferences } from './preferences.ts'
import { registerWorker } from './register-worker.ts'
import { router } from './routes.tsx'

// A 401 means that the person signed out elsewhere, or that the account was suspended; the page shows it.
const onError = (error: unknown) => {
  if (error instanceof NamewrightError && (error.status === 401 || error.code === 'account_suspended'))
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // The SDK tries again by itself; a refusal stays one.
      retry: (count, error) => count < 2 && !(error instanceof NamewrightError && error.status < 500),
      refetchOnWindowFocus: false,
    },
  },
})

function languageNow(): ReturnType<typeof chooseLanguage> {
  const asked = new URLSearchParams(location.search).get('lang') ?? ''
  if (isLanguage(asked)) return asked
  const { language } = getPreferences()
  const person = queries.getQueryData(sessionQuery.queryKey)?.person
  return chooseLanguage([language, person?.language ?? '', ...navigator.languages].filter(Boolean))
}

async function start(): Promise<void> {
  showPreferences()
  if (!CSS.supports('anchor-name', '--a')) void import('./ui/place-popovers.ts').then((it) => it.placePopovers())
  onPreferences(() => {
    showPreferences()
    if (languageNow() !== i18n.locale) void activateLocale(languageNow())
  })
  onTabChange((change) => {
    if (change === 'session') void renewSession(queries)
    else void queries.invalidateQueries({ queryKey: ['favorites'] })
  })
  // The session is not known yet, but most of the page does not depend on it.
  const asking = queries.prefetchQuery(sessionQuery)
  await activateLocale(languageNow())
  // Without its page, the frame would replace the first screen by an empty one for a moment.
  if (document.querySelector('[data-prerendered]')) await router.load()
  const root = createRoot(document.querySelector('#app') ?? document.body)
  // Rendered in small steps: the prerendered screen is shown already, and a key press does not wait for the whole page.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <I18nProvider i18n={i18n}>
            <RouterProvider router={router} />
          </I18nProvider>
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  await asking
  if (languageNow() !== i18n.locale) await activateLocale(languageNow())
  await registerWorker()
}

void start()

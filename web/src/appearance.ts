/**
 * Runs before the first paint, as a script of its own: the theme that the reader has chosen, and no text in a language that
 * they have not. Only the browser knows these choices. It imports nothing, because it delays the page.
 */
try {
  const asked = new URLSearchParams(location.search).get('lang')
  const kept = JSON.parse(localStorage.getItem('namewright.preferences') ?? '{}') as Record<string, unknown>
  const { dataset, lang } = document.documentElement
  if (kept['theme'] === 'light' || kept['theme'] === 'dark') dataset['theme'] = kept['theme']
  if (kept['contrast'] === 'more') dataset['contrast'] = 'more'
  const language = asked ?? (kept['language'] || lang)
  if (language !== lang) dataset['otherLanguage'] = ''
} catch {
  // A storage that is forbidden or spoiled: as the system says.
}

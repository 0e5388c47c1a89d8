// What is wrong with a page, in words: a list, empty when nothing is. Run in the browser by `browser.test.ts`.
;(() => {
  const faults = []
  const all = (selector) => [...document.querySelectorAll(selector)]
  const nameOf = (element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
  if (document.documentElement.lang === '') faults.push('no language')
  if (document.title.length < 5) faults.push('no title')
  for (const landmark of ['header', 'main', 'search']) {
    if (all(landmark).length !== 1) faults.push(`${all(landmark).length} × ${landmark}`)
  }
  const navs = all('nav').map(nameOf)
  if (all('nav').some((nav) => !nav.hasAttribute('aria-label'))) faults.push('a navigation without a name')
  if (new Set(navs).size !== navs.length) faults.push('two navigations with one name')
  let depth = 0
  for (const heading of all('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.tagName[1])
    if (next > depth + 1) faults.push(`${heading.tagName} after H${depth}: ${heading.textContent}`)
    depth = next
  }
  if (all('h1').length !== 1) faults.push(`${all('h1').length} × h1`)
  const ids = all('[id]').map(({ id }) => id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`twice: #${id}`)
  for (const one of all('a, button')) if (nameOf(one) === '') faults.push(`without a name: ${one.outerHTML}`)
  for (const input of all('input')) {
    if (input.labels?.length !== 1) faults.push(`without a label: ${input.outerHTML}`)
  }
  for (const one of all('[aria-labelledby]')) {
    if (!document.getElementById(one.getAttribute('aria-labelledby') ?? '')) faults.push(`named by nothing: ${one.id}`)
  }
  for (const table of all('table')) {
    if (table.querySelectorAll('th:not([scope])').length > 0) faults.push('a heading of a table without a scope')
  }
  // What can be scrolled must be reachable by keyboard, and have a name.
  for (const one of all('pre, .wide')) {
    if (one.tabIndex !== 0 || !one.hasAttribute('aria-label'))
      faults.push(`cannot be scrolled by keyboard: ${one.className}`)
  }
  if (all('#menu [aria-current=page]').length > 1) faults.push('two current pages')
  const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (beyond > 0) faults.push(`${beyond} pixels beyond the screen`)
  return faults
})()

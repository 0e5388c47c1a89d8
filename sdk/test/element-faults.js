// Finds accessibility faults of the element and returns them as a list. `element-access.test.ts` runs it in the browser.
;(() => {
  const faults = []
  const host = document.querySelector('namewright-search')
  const root = host.shadowRoot
  const all = (selector) => [...root.querySelectorAll(selector)]
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0
  const nameOf = (one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()

  for (const input of all('input')) if (input.labels?.length !== 1) faults.push(`without a label: ${input.id}`)
  for (const one of all('a, button')) if (nameOf(one) === '') faults.push(`without a name: ${one.className}`)
  for (const one of all('[aria-describedby]'))
    if (!root.getElementById(one.getAttribute('aria-describedby'))) faults.push(`missing description: ${one.id}`)
  for (const list of all('[role=list]'))
    for (const child of list.children) if (child.localName !== 'li') faults.push(`not a list item: ${child.localName}`)
  if (all('[role=status]').length !== 1) faults.push('not one live region')
  if (all('[style], style, script').length > 0) faults.push('inline style or script')
  if (root.querySelector('.box').lang === '') faults.push('no language')

  // WCAG 2.5.8: at least 24 by 24 pixels.
  for (const one of all('a, button, input').filter(isShown)) {
    const { width, height } = one.getBoundingClientRect()
    if (width < 24 || height < 24) faults.push(`too small: ${one.className} ${width}×${height}`)
  }

  // WCAG 1.4.3 and 1.4.11. Drawing a color converts any CSS color to numbers.
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data]
  }
  const backgroundOf = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor)
      if (color[3] === 255) return color
    }
    return rgba('Canvas')
  }
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].toSorted((x, y) => y - x)
    return (a + 0.05) / (b + 0.05)
  }
  let checked = 0
  for (const one of all('*').filter(isShown)) {
    const isText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    if (!isText || one.closest('.spoken')) continue
    checked += 1
    const found = contrast(rgba(getComputedStyle(one).color), backgroundOf(one))
    if (found < 4.5) faults.push(`${one.className || one.localName}: contrast ${found.toFixed(2)}`)
  }
  if (checked < 3) faults.push(`only ${checked} texts were checked`)
  const input = root.querySelector('input')
  const edge = contrast(rgba(getComputedStyle(input).borderTopColor), backgroundOf(input))
  if (edge < 3) faults.push(`the edge of the field: contrast ${edge.toFixed(2)}`)

  const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (beyond > 0) faults.push(`${beyond} pixels beyond the screen`)
  return faults
})()

// The script of the manual's pages. Without it everything still works: the search is a form, the menus are popovers,
// and text can be copied manually.
const form = document.querySelector('search form')
const input = form.querySelector('input')
const list = document.querySelector('#found')
const status = document.querySelector('#found-status')
let asked = ''

async function search() {
  const typed = input.value.trim()
  if (typed === asked) return
  asked = typed
  if (typed.length < 2) return show([])
  try {
    const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(typed)}`)
    const { found } = await answer.json()
    // Ignore a late response to an outdated query.
    if (asked === typed) show(found, typed)
  } catch {
    show([])
  }
}

function show(found, typed) {
  list.replaceChildren(
    ...found.slice(0, 8).map(({ href, page, heading, excerpt }) => {
      const link = document.createElement('a')
      link.href = href
      link.append(line('b', heading || page), line('small', heading ? page : ''), line('span', excerpt))
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  list.hidden = found.length === 0
  status.textContent = typed === undefined ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`
}

function line(tag, text) {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

let pause
input.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(search, 120)
})
form.parentElement.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'ArrowDown' && links.length > 0) links[(at + 1) % links.length].focus()
  else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus()
  else if (event.key === 'Escape' && !list.hidden) {
    show([])
    asked = ''
    input.focus()
  } else return
  event.preventDefault()
})
document.addEventListener('click', (event) => {
  if (!form.parentElement.contains(event.target)) show([])
})

for (const menu of document.querySelectorAll('[popover]')) {
  menu.addEventListener('click', (event) => {
    if (event.target.closest('a') && menu.matches(':popover-open')) menu.hidePopover()
  })
}

if (navigator.clipboard) {
  for (const code of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    const say = (text) => (button.textContent = text)
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.querySelector('pre').textContent).then(
        () => say('Copied'),
        () => say('Not allowed'),
      )
      setTimeout(say, 2000, 'Copy')
    })
    code.append(button)
  }
}

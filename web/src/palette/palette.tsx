/**
 * The command palette: a field, and below it what can be opened or done. It follows the combobox pattern: the focus stays in
 * the field, arrows move the active option, Enter runs it, and Escape closes the dialog.
 */
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useText } from '../i18n/i18n.ts'
import { closeShortcutDialog } from '../shortcuts/opened.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { useCommands } from './commands.ts'
import type { Command } from './commands.ts'

export default function Palette() {
  const { t } = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const groups = useCommands(typed)
  const commands = groups.flatMap((group) => group.commands)
  const active = commands[Math.min(at, commands.length - 1)]
  const optionId = (command: Command) => `${id}-${commands.indexOf(command)}`

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      // A command that opened a page has moved the focus there.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, typed])

  const run = (command: Command) => {
    closeShortcutDialog()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const last = commands.length - 1
    const to = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(at + 8, last),
      PageUp: Math.max(at - 8, 0),
    }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setAt(Math.max(to, 0))
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      run(active)
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-label={t('palette.title')}
      onCancel={(event) => {
        event.preventDefault()
        closeShortcutDialog()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) closeShortcutDialog()
      }}
      className="dialog sm:max-w-xl sm:mt-[12vh]"
    >
      <div className="flex max-h-[70vh] flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4">
          <Icon name="search" className="text-faint" />
          <input
            role="combobox"
            autoFocus
            aria-label={t('palette.field')}
            aria-expanded={commands.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={active && optionId(active)}
            autoComplete="off"
            spellCheck={false}
            // An empty field has the direction of the page, and so has its placeholder.
            dir={typed === '' ? undefined : 'auto'}
            maxLength={200}
            placeholder={t('palette.field')}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setAt(0)
            }}
            onKeyDown={press}
            className="min-h-14 w-full bg-transparent text-lg outline-none placeholder:text-faint"
          />
        </div>
        <p role="status" className={commands.length > 0 ? 'sr-only' : 'p-6 text-center text-faint'}>
          {commands.length > 0 ? t('palette.count', { count: commands.length }) : t('palette.none')}
        </p>
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={t('palette.title')}
          className={classes('overflow-y-auto p-2', commands.length === 0 && 'hidden')}
        >
          {groups.map(({ title, commands: offered }, group) => (
            <div key={title} role="group" aria-labelledby={`${id}-group-${group}`}>
              <div id={`${id}-group-${group}`} className="px-3 pt-3 pb-1 text-sm font-medium text-faint">
                {title}
              </div>
              {offered.map((command) => (
                <div
                  key={command.id}
                  id={optionId(command)}
                  role="option"
                  aria-selected={command === active}
                  onPointerMove={() => setAt(commands.indexOf(command))}
                  onClick={() => run(command)}
                  className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 aria-selected:bg-accent-soft"
                >
                  <Icon name={command.icon} size={18} className="shrink-0 text-faint" />
                  <bdi className="line-clamp-2 min-w-0 break-words">{command.label}</bdi>
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </dialog>
  )
}

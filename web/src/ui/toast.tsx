/**
 * Short notes at the edge of the page, most with a way back. `showToast` shows one; it stays for eight seconds, longer while
 * the pointer or the focus is on it. A failure is also shown where it happened.
 */
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { createStore, useStore } from '../store.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { needToasts } from './has-toasts.ts'
import { isTyping } from './is-typing.ts'

export interface Note {
  readonly text: string
  /** Takes it back. */
  readonly onUndo?: () => void
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** It is no longer shown, and was not taken back. */
  readonly onGone?: () => void
  readonly kind?: 'done' | 'failed'
}

interface Shown extends Note {
  readonly id: number
}

const STAYS_MS = 8_000
const MOST = 3

const shown = createStore<readonly Shown[]>([])
// Content under an open dialog is inert, so toasts appear in the topmost dialog.
const dialogs = createStore<readonly string[]>([])
let nextId = 1
// Later, because it draws the page anew.
queueMicrotask(needToasts)

export function showToast(note: Note): void {
  // What is said already, and has nothing of its own to take back, is not said twice.
  const isSaid = (one: Note) => one.text === note.text && !one.onUndo && !one.onGone
  const all = [...shown.get().filter((one) => !isSaid(one)), { ...note, id: nextId++ }]
  shown.change(() => all.slice(-MOST))
  for (const { onGone } of all.slice(0, -MOST)) onGone?.()
}

function dismiss(id: number, takenBack = false): void {
  const note = shown.get().find((one) => one.id === id)
  shown.change((all) => all.filter((one) => one !== note))
  if (!takenBack) note?.onGone?.()
}

export function Toasts({ inDialog = false }: { readonly inDialog?: boolean }) {
  const place = useId()
  const all = useStore(shown)
  const top = useStore(dialogs).at(-1)
  useEffect(() => {
    if (!inDialog) return
    dialogs.change((open) => [...open, place])
    return () => dialogs.change((open) => open.filter((other) => other !== place))
  }, [inDialog, place])
  const notes = top === (inDialog ? place : undefined) ? all : []
  useUndoKey(notes)
  return (
    // The live region exists before the first toast, or screen readers would not announce it.
    <section
      role="status"
      aria-live="polite"
      className={classes(
        'pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--tray,0px))] z-60 mx-auto grid max-w-md gap-2',
        // On a phone the buttons of a dialog stand at the bottom.
        inDialog && 'max-sm:top-4 max-sm:bottom-auto',
      )}
    >
      {notes.map((note) => (
        <Toast key={note.id} note={note} />
      ))}
    </section>
  )
}

/** Control or Command with Z undoes the last toast's action: by Tab its button may be hundreds of steps away. */
function useUndoKey(notes: readonly Shown[]): void {
  const undo = useEffectEvent((event: KeyboardEvent) => {
    const note = notes.findLast(({ onUndo }) => onUndo)
    const isUndo =
      (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
    if (!note?.onUndo || !isUndo || event.defaultPrevented || isTyping(event.target)) return
    event.preventDefault()
    dismiss(note.id, true)
    note.onUndo()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => undo(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function Toast({ note }: { readonly note: Shown }) {
  const { t } = useText()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(note.id), STAYS_MS)
    return () => clearTimeout(timer)
  }, [held, note.id])
  const act = (run: () => void, takenBack = false) => {
    return () => {
      dismiss(note.id, takenBack)
      run()
    }
  }
  return (
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={`pointer-events-auto flex items-center gap-3 rounded-md border bg-card py-2 ps-4 pe-2 shadow-float ${note.kind === 'failed' ? 'border-wrong' : 'border-line'}`}
    >
      <p className="me-auto">{note.text}</p>
      {note.action && (
        <Button kind="quiet" small className="shrink-0 whitespace-nowrap" onClick={act(note.action.onSelect)}>
          {note.action.label}
        </Button>
      )}
      {note.onUndo && (
        <Button
          kind="quiet"
          small
          icon="undo"
          aria-keyshortcuts="Control+Z"
          className="shrink-0 whitespace-nowrap"
          onClick={act(note.onUndo, true)}
        >
          {t('shell.undo')}
        </Button>
      )}
      <IconButton icon="close" small label={t('shell.close')} className="shrink-0" onClick={() => dismiss(note.id)} />
    </div>
  )
}

/**
 * Short notes at the edge of the page, most with a way back. `showToast` shows one in place of the one before; it stays for
 * eight seconds, longer while the pointer or the focus is on it. A failure is also shown where it happened.
 */
import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { say, useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
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
  /** Notes of one kind become one, which takes all of them back. */
  readonly many?: TextId
}

interface Shown extends Note {
  readonly id: number
  readonly count: number
}

const STAYS_MS = 8_000

const shown = createStore<Shown | undefined>(undefined)
// Content under an open dialog is inert, so toasts appear in the topmost dialog.
const dialogs = createStore<readonly string[]>([])
let nextId = 1
// Later, because it draws the page anew.
queueMicrotask(needToasts)

export function showToast(note: Note): void {
  const before = shown.get()
  const isSame = before !== undefined && note.many !== undefined && before.many === note.many
  shown.change(() => ({ ...(isSame ? merged(before, note) : { ...note, count: 1 }), id: nextId++ }))
  if (!isSame) before?.onGone?.()
}

function merged(before: Shown, note: Note): Omit<Shown, 'id'> {
  const count = before.count + 1
  const both = (first?: () => void, second?: () => void) => () => {
    first?.()
    second?.()
  }
  return {
    ...note,
    count,
    text: note.many === undefined ? note.text : say(note.many, { count }),
    // The last change is taken back first.
    ...(note.onUndo && { onUndo: both(note.onUndo, before.onUndo) }),
    ...(note.onGone && { onGone: both(before.onGone, note.onGone) }),
  }
}

function dismiss(id: number, takenBack = false): void {
  const note = shown.get()
  if (note?.id !== id) return
  shown.change(() => undefined)
  if (!takenBack) note.onGone?.()
}

/** What can be taken back or gone on with belongs to the page on which it was said. */
function dismissActs(): void {
  const note = shown.get()
  if (note && (note.onUndo || note.action)) dismiss(note.id)
}

export function Toasts({ inDialog = false }: { readonly inDialog?: boolean }) {
  const place = useId()
  const note = useStore(shown)
  const { pathname } = useLocation()
  useEffect(() => (inDialog ? undefined : dismissActs), [inDialog, pathname])
  const top = useStore(dialogs).at(-1)
  useEffect(() => {
    if (!inDialog) return
    dialogs.change((open) => [...open, place])
    return () => dialogs.change((open) => open.filter((other) => other !== place))
  }, [inDialog, place])
  const here = top === (inDialog ? place : undefined) ? note : undefined
  useUndoKey(here)
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
      {here && <Toast key={here.id} note={here} />}
    </section>
  )
}

/** Control or Command with Z undoes the last toast's action: by Tab its button may be hundreds of steps away. */
function useUndoKey(note: Shown | undefined): void {
  const undo = useEffectEvent((event: KeyboardEvent) => {
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

/** For what cannot be undone: a dialog that names the act, and for the gravest wants a word typed. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'

export function Confirm({
  open,
  title,
  description,
  act,
  typed,
  busy = false,
  wrong,
  onConfirm,
  onClose,
}: {
  readonly open: boolean
  readonly title: string
  readonly description: ReactNode
  /** The verb on the button. */
  readonly act: string
  /** What has to be typed to go on, such as the key's name. */
  readonly typed?: string
  readonly busy?: boolean
  readonly wrong?: string | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const [text, setText] = useState('')
  const ready = typed === undefined || text.trim() === typed
  const close = () => {
    setText('')
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={title} description={description}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) onConfirm()
        }}
      >
        {typed !== undefined && (
          <TextField
            label={t('shell.typeToConfirm', { word: typed })}
            value={text}
            onChange={({ target }) => setText(target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {wrong !== undefined && wrong !== '' && (
          <p role="alert" className="text-wrong">
            {wrong}
          </p>
        )}
        <DialogActions>
          <Button onClick={close}>{t('shell.cancel')}</Button>
          <Button kind="danger" type="submit" busy={busy} disabled={!ready}>
            {act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

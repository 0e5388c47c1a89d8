/**
 * A secret that is shown this once: to be copied, or taken along as a file, and only closed by somebody who says that they
 * have it. Never in the address, never stored, gone with the dialog.
 */
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CheckField } from '../../ui/field.tsx'
import { download } from '../../ui/download.ts'

export function SecretOnce({
  title,
  description,
  label,
  copy,
  secret,
  file,
  children,
  onDone,
}: {
  readonly title: string
  readonly description: ReactNode
  readonly label: string
  /** The words of the button that copies it. */
  readonly copy: string
  readonly secret: string
  /** Lines of a `.env` file that hold it. */
  readonly file: string
  readonly children?: ReactNode
  readonly onDone: () => void
}) {
  const { t } = useText()
  const [saved, setSaved] = useState(false)
  return (
    <Dialog open mustDecide onClose={onDone} title={title} description={description}>
      <CopyLine label={label} copy={copy} text={secret}>
        <Button small icon="download" onClick={() => download(file, { name: 'namewright.env', type: 'text/plain' })}>
          {t('keys.downloadEnv')}
        </Button>
      </CopyLine>
      {children}
      <CheckField
        label={t('keys.savedIt')}
        hint={t('keys.savedItHint')}
        checked={saved}
        onChange={({ target }) => setSaved(target.checked)}
      />
      <DialogActions>
        <Button kind="main" disabled={!saved} onClick={onDone}>
          {t('keys.done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Something to take along: in a field, so that it can be selected by hand where copying is forbidden. */
export function CopyLine({
  label,
  copy,
  text,
  children,
}: {
  readonly label: string
  readonly copy: string
  readonly text: string
  readonly children?: ReactNode
}) {
  const id = useId()
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <textarea
        id={id}
        readOnly
        rows={1}
        dir="ltr"
        translate="no"
        spellCheck={false}
        value={text}
        onFocus={({ target }) => target.select()}
        className="field-sizing-content block w-full resize-none rounded-md border border-edge bg-sunken px-3 py-2.5 font-mono text-sm break-all text-ink"
      />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={copy} />
        {children}
      </div>
    </div>
  )
}

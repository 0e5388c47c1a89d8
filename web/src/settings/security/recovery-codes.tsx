/** Codes for the day the phone is lost. They are shown once: nobody leaves without saying that they are kept. */
import { useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { CheckField } from '../../ui/field.tsx'
import { download } from '../../ui/download.ts'

export function RecoveryCodes({ codes, onSaved }: { readonly codes: readonly string[]; readonly onSaved: () => void }) {
  const { t } = useText()
  const [isSaved, setSaved] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <div className="grid gap-5">
      <ol
        dir="ltr"
        translate="no"
        className="grid list-none grid-cols-2 gap-x-6 gap-y-1 rounded-md bg-sunken p-4 font-mono max-[22rem]:grid-cols-1"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} label={t('security.copyCodes')} />
        <Button
          small
          icon="download"
          onClick={() => download(text, { name: 'namewright-recovery-codes.txt', type: 'text/plain' })}
        >
          {t('security.downloadCodes')}
        </Button>
      </div>
      <CheckField
        label={t('security.codesSaved')}
        checked={isSaved}
        onChange={({ target }) => setSaved(target.checked)}
      />
      <DialogActions>
        <Button kind="main" disabled={!isSaved} onClick={onSaved}>
          {t('security.done')}
        </Button>
      </DialogActions>
    </div>
  )
}

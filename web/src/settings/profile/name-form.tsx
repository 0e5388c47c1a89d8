/** A name that is changed in place: it can be saved once it is another one. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Fault, fieldFault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'

export function NameForm({
  label,
  hint,
  value,
  autoComplete = 'off',
  readOnly = false,
  onSave,
}: {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly autoComplete?: string
  readonly readOnly?: boolean
  readonly onSave: (name: string) => Promise<unknown>
}) {
  const { t } = useText()
  const [name, setName] = useState(value)
  const save = useMutation({ mutationFn: onSave, onSuccess: () => showToast({ text: t('profile.saved') }) })
  const wished = name.trim()
  const wrong = fieldFault(save.error, '/name')
  return (
    <form
      className="grid max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (wished !== '' && wished !== value) save.mutate(wished)
      }}
    >
      <TextField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoComplete={autoComplete}
        maxLength={100}
        readOnly={readOnly}
        wrong={wrong}
      />
      {save.error && wrong === undefined && <Fault error={save.error} />}
      {!readOnly && (
        <div>
          <Button type="submit" busy={save.isPending} disabled={wished === '' || wished === value}>
            {t('profile.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** A password that can be shown while it is typed, pasted, and filled in by a password manager. */
import { useState } from 'react'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { useText } from '../i18n/i18n.ts'
import { IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

export const PASSWORD_MIN = 12

export function PasswordField({
  label,
  hint,
  wrong,
  autoComplete,
  ...rest
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly wrong?: string | undefined
  readonly autoComplete: 'current-password' | 'new-password'
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'>) {
  const { t } = useText()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      label={label}
      hint={hint}
      wrong={wrong}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      maxLength={128}
      inside={
        <IconButton
          icon="eye"
          label={shown ? t('welcome.hidePassword') : t('welcome.showPassword')}
          onClick={() => setShown(!shown)}
        />
      }
      {...rest}
    />
  )
}

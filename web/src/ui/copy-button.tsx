/** Copies a text, and says so in the button itself for a moment. */
import { useEffect, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'

const SHOWN_MS = 2_000

export function CopyButton({
  text,
  label,
  onCopied,
  ...rest
}: { readonly text: string; readonly label?: string; readonly onCopied?: () => void } & ButtonProps) {
  const { t } = useText()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    onCopied?.()
  }
  return (
    <Button icon={copied ? 'check' : 'copy'} small {...rest} onClick={() => void copy()}>
      {copied ? t('shell.copied') : (label ?? t('shell.copy'))}
    </Button>
  )
}

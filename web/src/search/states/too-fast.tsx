/** Too many searches in a row: counts down quietly, then lets one try again. */
import { useEffect, useState } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/layout.tsx'

const SECOND_MS = 1_000

export function TooFast({ waitMs, onRetry }: { readonly waitMs: number; readonly onRetry: () => void }) {
  const { t } = useText()
  const [until] = useState(() => Date.now() + waitMs)
  const [left, setLeft] = useState(Math.ceil(waitMs / SECOND_MS))
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setLeft(Math.ceil((until - Date.now()) / SECOND_MS)), SECOND_MS)
    return () => clearInterval(timer)
  }, [until, isOver])
  return (
    <Notice
      tone="warn"
      title={t('search.fastTitle')}
      action={
        <Button small icon="refresh" disabled={!isOver} onClick={onRetry}>
          {t('shell.tryAgain')}
        </Button>
      }
    >
      {isOver ? t('search.fastNow') : t('search.fastWait', { seconds: left })}
    </Notice>
  )
}

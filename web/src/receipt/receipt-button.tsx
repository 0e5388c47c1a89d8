/** Makes a receipt of a name, and opens it. Loaded when the details of a name are first opened. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { makeReceipt } from '../api/receipts.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.tsx'

export default function ReceiptButton({
  name,
  domains,
}: {
  readonly name: string
  readonly domains: readonly string[]
}) {
  const { t } = useText()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    try {
      const token = await makeReceipt(name, domains)
      await navigate({ to: '/n/$token', params: { token } })
    } catch {
      setBusy(false)
      showToast({ kind: 'failed', text: t('receipt.openFailed') })
    }
  }
  return (
    <Button small icon="shield" busy={isBusy} aria-label={t('receipt.openOf', { name })} onClick={() => void open()}>
      {t('receipt.open')}
    </Button>
  )
}

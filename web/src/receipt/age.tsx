/** How old the receipt is, and a way to a new one. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { makeReceipt } from '../api/receipts.ts'
import type { NameReceipt } from '../api/receipts.ts'
import { useFormat } from '../i18n/format.ts'
import { say, useText } from '../i18n/i18n.ts'
import { Rich } from '../i18n/rich.tsx'
import { Ago, useNow } from '../search/results/ago.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/layout.tsx'
import { showToast } from '../ui/toast.tsx'

// As long as the service itself would use an "available" without asking again.
const FRESH_MS = 5 * 60_000

export function Age({ receipt: { domains } }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const format = useFormat()
  const now = useNow()
  // The page is as old as the oldest thing on it.
  const [oldest = ''] = domains.map((one) => one.checked_at).toSorted()
  return (
    <>
      <p className="text-faint">
        <Rich
          id="receipt.checked"
          values={{ date: format.dateTime(oldest) }}
          parts={[<Ago key="ago" moment={oldest} />]}
        />
      </p>
      {now - Date.parse(oldest) > FRESH_MS && <Notice tone="warn">{t('receipt.old')}</Notice>}
    </>
  )
}

export function CheckReceiptAgain({ receipt: { name, domains } }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const check = async () => {
    setBusy(true)
    try {
      const all = domains.map(({ domain }) => domain)
      const token = await makeReceipt(name, all, true)
      await navigate({ to: '/n/$token', params: { token } })
      showToast({ text: say('receipt.checkedAgain') })
    } catch {
      showToast({ kind: 'failed', text: t('receipt.checkFailed') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="main" icon="refresh" busy={isBusy} onClick={() => void check()}>
      {t(isBusy ? 'receipt.checking' : 'receipt.checkAgain')}
    </Button>
  )
}

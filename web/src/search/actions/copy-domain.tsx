/** Rechecks and copies a domain, and confirms it in the button for a moment. */
import type { DomainEntry } from '@namewright/client'
import { useEffect, useState } from 'react'
import { say, useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { copyWhenReady } from './clipboard.ts'
import { useRecheck } from './recheck.ts'
import { isWithheld } from './withheld.ts'

const SHOWN_MS = 2_000

export function CopyDomain({ domain: entry, small }: { readonly domain: DomainEntry; readonly small: boolean }) {
  const { t } = useText()
  const recheck = useRecheck()
  const [state, setState] = useState<'ready' | 'checking' | 'copied'>('ready')
  const { domain } = entry
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('ready'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])

  const put = async (text: Promise<string>, done: () => string) => {
    try {
      await copyWhenReady(text)
      setState('copied')
      showToast({ text: done() })
    } catch (error) {
      setState('ready')
      if (!(error instanceof Withheld)) showToast({ kind: 'failed', text: say('actions.copyFailed', { domain }) })
    }
  }
  const copy = async () => {
    if (state === 'checking') return
    setState('checking')
    const checking = recheck(entry)
    const anyway = () => void put(Promise.resolve(domain), () => say('actions.copied', { domain }))
    let unseen = false
    const text = checking.then((checked) => {
      if (isWithheld(checked, say('actions.copyAnyway'), anyway)) throw new Withheld()
      unseen = checked.outcome === 'unseen'
      return domain
    })
    await put(text, () => say(unseen ? 'actions.copiedUnseen' : 'actions.copied', { domain }))
  }
  return (
    <IconButton
      icon={state === 'copied' ? 'check' : 'copy'}
      label={t('actions.copy', { domain })}
      aria-busy={state === 'checking' || undefined}
      small={small}
      onClick={() => void copy()}
    />
  )
}

/** It has been said already. */
class Withheld extends Error {}

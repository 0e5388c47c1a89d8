/** Copies a domain after a fresh look at it, and says so in the button itself for a moment. */
import type { DomainEntry } from 'namewright'
import { useEffect, useState } from 'react'
import { say, useText } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/button.tsx'
import { tell } from '../../ui/toast.tsx'
import { copyWhenReady } from './clipboard.ts'
import { useLookAgain } from './recheck.ts'
import { isWithheld } from './withheld.ts'

const SHOWN_MS = 2_000

export function CopyDomain({ domain: entry, small }: { readonly domain: DomainEntry; readonly small: boolean }) {
  const { t } = useText()
  const look = useLookAgain()
  const [state, setState] = useState<'ready' | 'looking' | 'copied'>('ready')
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
      tell({ text: done() })
    } catch (error) {
      setState('ready')
      if (!(error instanceof Withheld)) tell({ kind: 'failed', text: say('actions.copyFailed', { domain }) })
    }
  }
  const copy = async () => {
    if (state === 'looking') return
    setState('looking')
    const looking = look(entry)
    const anyway = () => void put(Promise.resolve(domain), () => say('actions.copied', { domain }))
    let unseen = false
    const text = looking.then((looked) => {
      if (isWithheld(looked, say('actions.copyAnyway'), anyway)) throw new Withheld()
      unseen = looked.outcome === 'unseen'
      return domain
    })
    await put(text, () => say(unseen ? 'actions.copiedUnseen' : 'actions.copied', { domain }))
  }
  return (
    <IconButton
      icon={state === 'copied' ? 'check' : 'copy'}
      label={t('actions.copy', { domain })}
      aria-busy={state === 'looking' || undefined}
      small={small}
      onClick={() => void copy()}
    />
  )
}

/** It has been said already. */
class Withheld extends Error {}

/** The name that the host has chosen, and the way to register it. */
import { useId, useMemo } from 'react'
import type { ShareItem } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { RegisterMenu } from '../search/register/register-menu.tsx'
import { Button } from '../ui/button.tsx'
import { NameFace } from './name-face.tsx'

export function Picked({ item, onUndo }: { readonly item: ShareItem; readonly onUndo: (() => void) | undefined }) {
  const { t } = useText()
  const id = useId()
  const { domain, available, price, checked_at } = item
  const entry = useMemo(
    () => ({ domain, available, price: price ?? '', checked_at }),
    [domain, available, price, checked_at],
  )
  return (
    <section
      aria-label={t('room.picked')}
      className="grid gap-5 rounded-lg border-2 border-accent bg-accent-soft p-6 sm:p-8"
    >
      <p className="text-center font-medium">{t('room.picked')}</p>
      <NameFace id={id} item={item} />
      <div className="flex flex-wrap items-center justify-center gap-3">
        <RegisterMenu domain={entry} />
        {onUndo && (
          <Button small kind="quiet" icon="undo" onClick={onUndo}>
            {t('room.unpick')}
          </Button>
        )}
      </div>
    </section>
  )
}

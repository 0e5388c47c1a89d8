/** How the votes on a name stand: in numbers, and as two lengths beside each other. */
import { useText } from '../i18n/i18n.ts'

export function VoteBar({ up, down }: { readonly up: number; readonly down: number }) {
  const { t } = useText()
  const all = up + down
  return (
    <div className="grid gap-1.5">
      <p className="flex justify-between gap-4 text-sm text-faint">
        <span>{t('share.likes', { count: up })}</span>
        <span>{t('share.dislikes', { count: down })}</span>
      </p>
      <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken">
        {all > 0 && (
          <>
            <span className="bg-free forced-colors:bg-[Highlight]" style={{ width: `${(up / all) * 100}%` }} />
            <span className="bg-edge" style={{ width: `${(down / all) * 100}%` }} />
          </>
        )}
      </div>
    </div>
  )
}

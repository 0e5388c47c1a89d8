/** What people say about the list or one of its names, oldest first. */
import type { Share } from '../api/shares.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Ltr } from '../ui/layout.tsx'

export function Comments({ share }: { readonly share: Pick<Share, 'comments' | 'items'> }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <ul aria-label={t('share.comments')} className="grid gap-4">
      {share.comments.map(({ id, by, text, item_id, created_at }) => {
        const about = share.items.find((item) => item.id === item_id)
        return (
          <li key={id} className="border-s-2 border-line ps-4">
            <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-faint">
              <bdi className="font-medium text-ink">{by}</bdi>
              {about && <Ltr className="font-display">{about.name}</Ltr>}
              <time dateTime={created_at}>{format.ago(created_at)}</time>
            </p>
            <p className="whitespace-pre-line">
              <bdi>{text}</bdi>
            </p>
          </li>
        )
      })}
    </ul>
  )
}

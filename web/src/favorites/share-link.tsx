/** The link of a share: read, copied or opened. */
import { useText } from '../i18n/i18n.ts'
import { buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ltr } from '../ui/layout.tsx'

export function ShareLink({ url }: { readonly url: string }) {
  const { t } = useText()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Ltr className="min-w-0 flex-1 basis-56 truncate rounded-md bg-sunken px-3 py-1.5 font-mono text-sm">{url}</Ltr>
      <CopyButton text={url} label={t('favorites.copyLink')} />
      <a href={url} target="_blank" rel="noreferrer" className={buttonClass('plain', true)}>
        <Icon name="external" size={16} />
        {t('favorites.openLink')}
      </a>
    </div>
  )
}

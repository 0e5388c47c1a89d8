/** /favorites: the account's, or those that this browser keeps for somebody who is not signed in. */
import { useAccount } from '../api/session.ts'
import { KeptHere } from '../favorites/kept-here.tsx'
import { OwnFavorites } from '../favorites/own-favorites.tsx'
import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'

export default function FavoritesPage() {
  const { t } = useText()
  const account = useAccount()
  if (account) return <OwnFavorites key={account.id} account={account} />
  return (
    <>
      <PageTitle>{t('favorites.title')}</PageTitle>
      <KeptHere />
    </>
  )
}

/** What has changed of a domain, and when, in one sentence. */
import type { FavoriteChangeRecord } from '@namewright/client'
import type { Say } from '../i18n/i18n.ts'

export function changeText({ kind, before, after }: FavoriteChangeRecord, when: string, t: Say): string {
  switch (kind) {
    case 'available':
      return t('favorites.becameFree', { when, price: after.price })
    case 'taken':
      return t('favorites.becameTaken', { when })
    case 'price_changed':
      return t('favorites.becamePriced', { when, before: before.price, after: after.price })
  }
}

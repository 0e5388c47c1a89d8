import { queryOptions } from '@tanstack/react-query'
import { askAuth } from '../../api/auth.ts'

export interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt?: string | null
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => askAuth<readonly Passkey[]>('/passkey/list-user-passkeys'),
})

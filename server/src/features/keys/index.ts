/** Keys: the credentials with which programs act for an account. */
import type { Feature } from '../../http/feature.ts'
import { exportRules, forgetRules } from './application-rules.ts'
import { disableClients, exportKeys, forgetKeys, forgetMaker, listForReview } from './rows.ts'
import { applicationRoutes, keyRoutes } from './settings-routes.ts'

export { isAllowed, openApplicationRules } from './application-rules.ts'
export { isOriginPattern, isWidened, listCredentials, parseKeyChange } from './key.ts'
export { openKeys, type Keys } from './keys.ts'
export { createVisitorKey } from './open-to-visitors.ts'
export { forgetKeys, type KeyRow } from './rows.ts'
export { credentialFields, GrantChangeBody } from './schemas.ts'

export const keys = {
  name: 'keys',
  settings: [...keyRoutes, ...applicationRoutes],
  data: {
    forget: (account) => [...forgetKeys(account), ...forgetRules(account)],
    export: (member, { db }) => ({ ...exportKeys(db, member), ...exportRules(db, member) }),
    naming: true,
    /** Keys go on, and are listed for an admin to revoke or keep; applications that the person registered are disabled. */
    async endAccess(tx, { account, userId, known, note }, { now }) {
      for (const { client_id, name } of (await tx.run(disableClients(account, userId, known))).rows) {
        await tx.run(note('client_disabled', { client_id, name }))
      }
      const listed = await tx.run(listForReview(account, userId, new Date(now())))
      for (const { id, name } of listed.rows) await tx.run(note('key_review_due', { key_id: id, name }))
    },
    forgetPerson: (account, person) => [forgetMaker(account, person)],
  },
} satisfies Feature

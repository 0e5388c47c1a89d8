/** Accounts: the tenants, their members, and the deletion and export of what they own. */
import type { Feature } from '../../http/feature.ts'
import { addPages } from '../../http/pages/add-pages.ts'
import { PAGES } from './pages.ts'
import { accountSettings, addExport } from './settings-routes.ts'

export { type Accounts, openAccounts } from './accounts.ts'
export { deleteAccounts, deletePerson } from './deletion.ts'
export { inviteByOperator } from './inviting.ts'
export { type Members, openMembers } from './members.ts'
export { changeLimits, type PlanChange, resumeAccount, type Standing, suspendAccount } from './plans.ts'
export { AccountLimits, Suspension } from './schemas.ts'
export { createWelcome, findUnowned, setUpFirstPerson } from './welcome.ts'

export const accounts = {
  name: 'accounts',
  settings: accountSettings,
  addRoutes(app, ctx, { routeContext }) {
    addExport(app, ctx)
    addPages(app, ctx, routeContext, PAGES)
  },
} satisfies Feature

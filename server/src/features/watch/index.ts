/** Watch: checks saved domains again and reports what has changed. */
import type { Feature } from '../../http/feature.ts'
import { watch } from './jobs.ts'

export { openChangeEmails } from './change-emails.ts'
export { openWatch } from './watch.ts'

export const watchFeature = {
  name: 'watch',
  jobs: { watch },
  data: {
    export: (member, ctx) => ctx.changeEmails.exporting(member),
    naming: true,
    purge: ({ id }, limit, ctx) => [ctx.changeEmails.expiring(id, limit)],
  },
} satisfies Feature

/** Check: whether given domains and names can be registered, and what they cost. */
import type { Feature } from '../../http/feature.ts'
import { routes } from './routes.ts'
import { checkTool } from './tools.ts'

export { checkDomains } from './check-domains.ts'

export const check = { name: 'check', routes, tools: [checkTool] } satisfies Feature

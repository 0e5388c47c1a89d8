/** Generate: a description becomes priced names whose domains can be registered. */
import type { Feature } from '../../http/feature.ts'
import { findForAgent, generate } from './routes.ts'
import { suggestNamesTool } from './tools.ts'

export { costOf, generateItem } from './routes.ts'

export const generateFeature = {
  name: 'generate',
  routes: [generate],
  tools: [suggestNamesTool(findForAgent)],
} satisfies Feature

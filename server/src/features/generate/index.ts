/** Generate: a description becomes priced names whose domains can be registered. */
import type { Feature } from '../../http/feature.ts'
import { generateRoute } from './routes.ts'
import { suggestNamesTool } from './tools.ts'

export const generateFeature = {
  name: 'generate',
  addRoutes: (app, ctx, { routeContext }) => generateRoute(app, ctx, routeContext),
  tools: [suggestNamesTool],
} satisfies Feature

/** The site: the web app, the manual and the custom element, as files. */
import type { Feature } from '../../http/feature.ts'
import { appRoutes } from './app.ts'
import { manualRoutes } from './manual.ts'
import { embedRoute } from './embed.ts'
import { linkPreviews } from './link-previews.ts'
import { sessionRoute } from './session.ts'

export const site = {
  name: 'site',
  addRoutes(app, ctx, { routeContext, version, documentOf }) {
    manualRoutes(app, documentOf)
    embedRoute(app)
    sessionRoute(app, ctx, version)
    appRoutes(app, routeContext.app, linkPreviews(ctx, routeContext))
  },
} satisfies Feature

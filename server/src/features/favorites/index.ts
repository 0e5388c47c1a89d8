/** Favorites: the domains that an account saves, and the changes of those that it watches. */
import type { Feature } from '../../http/feature.ts'
import { routes } from './routes.ts'
import { exportFavorites, forgetFavorites } from './rows.ts'
import { savedTool } from './tools.ts'

export const favorites = {
  name: 'favorites',
  routes,
  tools: [savedTool],
  data: { forget: forgetFavorites, export: (member, { db }) => exportFavorites(db, member) },
} satisfies Feature

/** Favorites: the domains that an account saves, and the changes of those that it watches. */
import { routes } from './routes.ts'
import { exportFavorites, forgetFavorites } from './rows.ts'

export { shown } from './favorite.ts'
export { addFavorite } from './routes.ts'
export { favoritesLike } from './rows.ts'
export { FavoriteBody, FavoriteQuery, type Favorite } from './schemas.ts'

export const favorites = { routes, data: { forget: forgetFavorites, export: exportFavorites } }

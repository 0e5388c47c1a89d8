/** The rows of a name's details that are fetched when somebody looks at them. */
import { lazyExtra } from '../../later.ts'

/** Packages and handles. */
export const Handles = lazyExtra(() => import('./handles-row.tsx'))
/** Offers for a taken domain. */
export const Sale = lazyExtra(() => import('./sale-row.tsx'))

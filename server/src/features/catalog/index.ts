/** The catalog: the suffixes on offer, with their prices. */
import type { Feature } from '../../http/feature.ts'
import { listTlds } from './routes.ts'

export const catalog = { name: 'catalog', routes: [listTlds] } satisfies Feature

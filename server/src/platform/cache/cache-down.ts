/** Redis did not respond. Apart from `cache.ts`, so that what catches it does not load a Redis client. */
export class CacheDown extends Error {}

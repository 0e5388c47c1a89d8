/** The files of undici that `outbound.ts` imports in place of the index: the package declares only that. */
declare module 'undici/lib/api/index.js' {
  const api: object
  export default api
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}

/** Made by `web/catalogs.ts`. */
declare module 'virtual:catalogs' {
  type Load = () => Promise<{ default: import('@lingui/core').Messages }>
  const table: Readonly<Record<'first' | 'search' | 'rest', Readonly<Record<string, Load>>>>
  export default table
}

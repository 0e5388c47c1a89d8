import type { Config } from './config.ts'

/** The default is enough on a local machine, where passkeys need a host name instead of an address. */
export function publicUrlOf({ publicUrl, listen, tls }: Pick<Config, 'publicUrl' | 'listen' | 'tls'>): string {
  return publicUrl || `${tls ? 'https' : 'http'}://localhost:${listen.port}`
}

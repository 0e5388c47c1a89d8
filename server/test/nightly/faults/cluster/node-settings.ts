/**
 * The settings of a node of the cluster. What is about the network stays on loopback, as in every test: DNS is the
 * loopback internet, and no registrar and no registry is asked.
 */
import { randomBytes } from 'node:crypto'
import { SETTINGS } from '../../../source.ts'

export interface Surroundings {
  readonly databaseUrl: string
  readonly standbyUrl: string
  readonly redisUrl: string
  readonly nodes: number
}

export function settingsOf({ databaseUrl, standbyUrl, redisUrl, nodes }: Surroundings): Record<string, string> {
  const settings = {
    NAMEWRIGHT_DATABASE_URL: databaseUrl,
    NAMEWRIGHT_STANDBY_URL: standbyUrl,
    // The cluster has done it; a node that starts while nobody accepts writes must not try.
    NAMEWRIGHT_MIGRATE: 'manual',
    NAMEWRIGHT_REDIS_URL: redisUrl,
    NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
    NAMEWRIGHT_NODES: String(nodes),
    NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1,198.18.0.0/15',
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    NAMEWRIGHT_AVAILABILITY_MODE: 'balanced',
    NAMEWRIGHT_REGISTRARS: 'none',
    NAMEWRIGHT_RDAP: 'off',
    NAMEWRIGHT_NAMESPACES: 'off',
    NAMEWRIGHT_PRICE_REFRESH: 'off',
    NAMEWRIGHT_WEB_DIR: 'none',
    // HAProxy sees a node that drains within a second; the second is for who was on the way.
    NAMEWRIGHT_DRAIN_SECONDS: '2',
    NAMEWRIGHT_WORKER: 'apart',
  }
  // A version of the service that does not know a setting refuses to start with it.
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name in SETTINGS))
}

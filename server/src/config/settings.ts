/**
 * Every setting: its name, default, example and what it is for. `docs/configuration.md` and `example.env` are held
 * against this list by a test. It is long because it is a list.
 *
 * Few knobs: what an operator has no reason to change is a constant beside the code it tunes.
 */
import { isIP } from 'node:net'
import { isSuffix } from '../model/domain.ts'
import type { Suffix } from '../model/domain.ts'
import {
  integerIn,
  isAddressRange,
  isResolver,
  listOf,
  must,
  oneOf,
  optional,
  partsOf,
  routeOf,
  secretOf,
  urlOf,
} from './parse.ts'

interface Setting<T> {
  readonly about: string
  readonly example: string
  /** As it would be written; undefined makes the setting required, '' means off. */
  readonly default?: string
  readonly secret?: true
  /** Throws an Error whose message completes "NAME must be …". */
  readonly parse: (text: string) => T
}

const setting = <T>(of: Setting<T>): Setting<T> => of

export const SETTINGS = {
  NAMEWRIGHT_DATABASE_URL: setting({
    about: 'PostgreSQL 15 or newer. The login role must be a member of `namewright_app`.',
    example: 'postgres://namewright:change-me@127.0.0.1:5432/namewright',
    secret: true,
    parse: secretOf(urlOf('postgres:', 'postgresql:')),
  }),
  NAMEWRIGHT_OWNER_DATABASE_URL: setting({
    about: 'The role that owns the tables and applies migrations. Empty: the same as `NAMEWRIGHT_DATABASE_URL`.',
    example: 'postgres://namewright_owner:change-me@127.0.0.1:5432/namewright',
    default: '',
    secret: true,
    parse: optional(secretOf(urlOf('postgres:', 'postgresql:'))),
  }),
  NAMEWRIGHT_MIGRATE: setting({
    about: '`auto` applies migrations at start; `manual` leaves that to `namewright-server migrate`.',
    example: 'auto',
    default: 'auto',
    parse: oneOf('auto', 'manual'),
  }),
  NAMEWRIGHT_REDIS_URL: setting({
    about: 'Redis 7 or Valkey. Several addresses, separated by commas, are the nodes of a Redis Cluster.',
    example: 'redis://127.0.0.1:6379',
    secret: true,
    parse: listOf(secretOf(urlOf('redis:', 'rediss:'))),
  }),
  NAMEWRIGHT_SECRET: setting({
    about: 'Signs cursors. The same on every node; at least 32 characters, for example from `openssl rand -hex 32`.',
    example: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    secret: true,
    parse: secretOf((text) => must(text, text.length >= 32, 'at least 32 characters')),
  }),
  NAMEWRIGHT_HOST: setting({
    about: 'The address to listen on.',
    example: '0.0.0.0',
    default: '127.0.0.1',
    parse: (text) => must(text, isIP(text) !== 0, 'an IP address'),
  }),
  NAMEWRIGHT_PORT: setting({
    about: 'The port to listen on; 0 takes any free one.',
    example: '8443',
    default: '8080',
    parse: integerIn(0, 65_535),
  }),
  NAMEWRIGHT_TLS_CERT_FILE: setting({
    about: 'Certificate chain (PEM). With it and the key file the port speaks HTTPS and refuses plain HTTP.',
    example: '/etc/namewright/tls/cert.pem',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_TLS_KEY_FILE: setting({
    about: 'Private key (PEM) of the certificate.',
    example: '/etc/namewright/tls/key.pem',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_TRUSTED_PROXIES: setting({
    about: 'Addresses or ranges whose `X-Forwarded-For` is believed, separated by commas. Empty: none.',
    example: '10.0.0.0/8,127.0.0.1',
    default: '',
    parse: optional(listOf((text) => must(text, isAddressRange(text), 'addresses or CIDR ranges'))),
  }),
  NAMEWRIGHT_PUBLIC_URL: setting({
    about: 'Where callers reach the service; used in the links of answers. Empty: links are paths.',
    example: 'https://names.example.com',
    default: '',
    parse: optional(urlOf('https:', 'http:')),
  }),
  NAMEWRIGHT_DNS_RESOLVERS: setting({
    about: 'Recursive resolvers to ask, separated by commas. Empty: those of the system.',
    example: '127.0.0.1:53,[::1]:53',
    default: '',
    parse: optional(listOf((text) => must(text, isResolver(text), 'address:port'))),
  }),
  NAMEWRIGHT_AVAILABILITY_MODE: setting({
    about:
      '`strict`: only a definitive source makes a domain available. `balanced`: a name that is not delegated in DNS counts too.',
    example: 'balanced',
    default: 'strict',
    parse: oneOf('strict', 'balanced'),
  }),
  NAMEWRIGHT_REGISTRARS: setting({
    about:
      'Who is asked whether a name can be bought, in this order; they see the names that are shown. `none` asks nobody. `vercel` needs no account.',
    example: 'cloudflare,vercel',
    default: 'vercel',
    parse: listOf(oneOf('vercel', 'cloudflare', 'name-com', 'porkbun', 'godaddy', 'namecheap', 'epp', 'none')),
  }),
  NAMEWRIGHT_CLOUDFLARE: setting({
    about: 'Account id and API token, as `id:token`.',
    example: '0123456789abcdef:change-me',
    default: '',
    secret: true,
    parse: optional(partsOf(2)),
  }),
  NAMEWRIGHT_NAME_COM: setting({
    about: 'User and API token of name.com, as `user:token`.',
    example: 'someone:change-me',
    default: '',
    secret: true,
    parse: optional(partsOf(2)),
  }),
  NAMEWRIGHT_PORKBUN: setting({
    about: 'API key and secret, as `key:secret`.',
    example: 'pk1_change-me:sk1_change-me',
    default: '',
    secret: true,
    parse: optional(partsOf(2)),
  }),
  NAMEWRIGHT_GODADDY: setting({
    about: 'API key and secret, as `key:secret`.',
    example: 'change-me:change-me',
    default: '',
    secret: true,
    parse: optional(partsOf(2)),
  }),
  NAMEWRIGHT_NAMECHEAP: setting({
    about: 'User, API key and the address that is allowed to call, as `user:key:address`.',
    example: 'someone:change-me:192.0.2.1',
    default: '',
    secret: true,
    parse: optional(partsOf(3)),
  }),
  NAMEWRIGHT_EPP_URL: setting({
    about: 'For accredited registrars: host, login and suffixes, as `epps://client:password@host:700/com,net`.',
    example: 'epps://client:change-me@epp.registry.example:700/com,net',
    default: '',
    secret: true,
    parse: optional(secretOf(urlOf('epps:'))),
  }),
  NAMEWRIGHT_EPP_CERT_FILE: setting({
    about: 'Client certificate for EPP (PEM).',
    example: '/etc/namewright/epp/cert.pem',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_EPP_KEY_FILE: setting({
    about: 'Private key of that certificate (PEM).',
    example: '/etc/namewright/epp/key.pem',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_RDAP: setting({
    about: '`on` asks the registries themselves about names that are shown and that no registrar has answered for.',
    example: 'on',
    default: 'on',
    parse: oneOf('on', 'off'),
  }),
  NAMEWRIGHT_NODES: setting({
    about: 'How many nodes share the limits of registries and registrars; only used while Redis is away.',
    example: '5',
    default: '1',
    parse: integerIn(1, 10_000),
  }),
  NAMEWRIGHT_INDEX: setting({
    about: 'Index of registered names: a folder, or the https URL of its manifest. Empty: DNS is asked instead.',
    example: '/var/lib/namewright/index',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_DATA_DIR: setting({
    about:
      'A folder of this node for copies of the index, prices and rates. Empty: prices and rates are kept in memory, and there is no index.',
    example: '/var/lib/namewright',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_CZDS: setting({
    about: 'User and password of the zone data service, as `user:password`; for `namewright-server index fetch`.',
    example: 'someone@example.com:change-me',
    default: '',
    secret: true,
    parse: optional(partsOf(2)),
  }),
  NAMEWRIGHT_PRICE_REFRESH: setting({
    about: '`on` reads a public price list and the reference exchange rates of the European Central Bank once a day.',
    example: 'on',
    default: 'on',
    parse: oneOf('on', 'off'),
  }),
  NAMEWRIGHT_PRICE_FILE: setting({
    about: 'Your own prices; they win over every other source.',
    example: '/etc/namewright/prices.jsonl',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_RATES_FILE: setting({
    about: 'Your own exchange rates.',
    example: '/etc/namewright/rates.json',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_OUTBOUND_CA_FILE: setting({
    about: 'Certificates to trust for outgoing HTTPS besides the usual ones (PEM), for a proxy that looks inside.',
    example: '/etc/namewright/ca.pem',
    default: '',
    parse: optional((text) => text),
  }),
  NAMEWRIGHT_OUTBOUND_ROUTES: setting({
    about:
      'Hosts that are reached at another address, as `host=address:port`, separated by commas: a gateway, or a test.',
    example: 'api.vercel.com=10.0.0.7:8443',
    default: '',
    parse: optional(listOf(routeOf)),
  }),
  NAMEWRIGHT_SUFFIXES: setting({
    about: 'Suffixes of a generate request that names none, best first.',
    example: 'com,de,net',
    default: 'com,ai,io,co',
    parse: listOf((text): Suffix => {
      if (!isSuffix(text)) throw new Error('suffixes such as com,co.uk')
      return text
    }),
  }),
  NAMEWRIGHT_DRAIN_SECONDS: setting({
    about: 'After SIGTERM: how long `/readyz` says no before new connections are refused.',
    example: '5',
    default: '5',
    parse: integerIn(0, 600),
  }),
  NAMEWRIGHT_LOG_LEVEL: setting({
    about: 'How much is logged.',
    example: 'info',
    default: 'info',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
}

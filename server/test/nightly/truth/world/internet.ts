/**
 * All servers of all states, each in its state from beginning to end, in a process of their own: what they cost must
 * not show in the times and the memory of who is measured. Run by `open-internet.ts`; ends when its parent does.
 */
import { once } from 'node:events'
import { makeCertificate } from '../../../certificate.ts'
import { openRdapServer } from '../../../internet/rdap-server.ts'
import type { RdapQuery } from '../../../internet/rdap-server.ts'
import { LIST_MOODS, MOODS, openRegistrarServer } from '../../../internet/registrar-server.ts'
import { isRegisteredControlName } from '../../../internet/registrar-world.ts'
import { KNOWN } from './cells.ts'
import { DNS_MANNERS, openResolver, openRouter, ROUTER } from './dns-manners.ts'
import type { DnsManner } from './dns-manners.ts'
import { SICK } from './neighbours.ts'
import { HOSTS } from './networks.ts'
import type { Addresses, World } from './open-internet.ts'
import { listStateOf, RDAP_STATES } from './states.ts'
import type { RdapState } from './states.ts'

const [world] = (await once(process, 'message')) as [World]
const isKnown = (domain: string) =>
  domain.startsWith(`${KNOWN}.`) || domain.startsWith('nic.') || isRegisteredControlName(domain)
// A suffix is delegated too.
const isDelegated = (domain: string) => world.delegated.has(domain) || isKnown(domain) || !domain.includes('.')
const isRegistered = (domain: string) => world.registered.has(domain) || isKnown(domain)
const closing = new AsyncDisposableStack()
process.on('disconnect', () => void closing.disposeAsync().finally(() => process.exit()))
const [certificate, stranger] = [closing.use(await makeCertificate(HOSTS)), closing.use(await makeCertificate(HOSTS))]

const resolvers = Object.keys(DNS_MANNERS).map(async (manner) => {
  const { address } = await openResolver(manner as DnsManner, isDelegated)
  return [manner, address] as const
})
const router = openRouter(isDelegated)
const registrars = MOODS.map(async (mood) => {
  const server = closing.use(await openRegistrarServer({ world, certificate, stranger }))
  server.be(mood)
  return [mood, server.url] as const
})
const lists = LIST_MOODS.map(async (mood) => {
  const server = closing.use(await openRegistrarServer({ world, certificate, stranger }))
  server.list(mood)
  return [listStateOf(mood), server.url] as const
})
const rdap = RDAP_STATES.map(async (state) => {
  const server = closing.use(await openRdapServer({ isRegistered, certificate }))
  if (state.how === 'bad certificate') server.setCertificate('bad')
  else if (state.how !== 'well') server.set('*', misbehaviourOf(state.how))
  return [state.name, server.base] as const
})
const mannerOf = (domain: string) => SICK.find(({ suffix }) => domain.endsWith(`.${suffix}`))?.dns ?? 'well'
const mixedResolver = openResolver(mannerOf, isDelegated)
const mixedRdap = closing.use(await openRdapServer({ isRegistered, certificate }))
for (const { suffix, rdap: fault, sharesHost } of SICK) if (sharesHost) mixedRdap.set(suffix, fault)

function misbehaviourOf(how: Exclude<RdapState['how'], 'well' | 'bad certificate'>) {
  if (how !== 'turned') return how
  const isTrial = (domain: string) => isKnown(domain) || /^[a-z]{20}\./.test(domain)
  return ({ domain }: RdapQuery) => (isTrial(domain) ? undefined : ('denies_all' as const))
}

const addresses: Addresses = {
  ca: certificate.ca,
  caFile: certificate.caFile,
  resolvers: { ...Object.fromEntries(await Promise.all(resolvers)), [ROUTER]: (await router).address },
  registrars: Object.fromEntries(await Promise.all([...registrars, ...lists])),
  rdap: Object.fromEntries(await Promise.all(rdap)),
  mixedResolver: (await mixedResolver).address,
  mixedRdap: mixedRdap.base,
}
process.send?.(addresses)

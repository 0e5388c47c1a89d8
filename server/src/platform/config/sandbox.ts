/**
 * One service must never mix generated and real results: with the sandbox on, no setting may name a real source.
 * Sources that are on by default (a registrar, RDAP, namespaces, the system's resolvers, the daily
 * price list) are then turned off.
 */
const REAL: Readonly<Record<string, RegExp>> = {
  NAMEWRIGHT_DNS_RESOLVERS: /./,
  NAMEWRIGHT_REGISTRARS: /^(?!none$)/,
  NAMEWRIGHT_RDAP: /^on$/,
  NAMEWRIGHT_NAMESPACES: /^on$/,
  NAMEWRIGHT_INDEX: /./,
  NAMEWRIGHT_CZDS: /./,
  NAMEWRIGHT_PRICE_REFRESH: /^on$/,
}

/**
 * The configured settings of real sources, in the order of the docs. `registrarSettings`: the setting names of all
 * registrars.
 */
export function findRealSources(
  env: Readonly<Record<string, string | undefined>>,
  registrarSettings: readonly string[],
): readonly string[] {
  const ofRegistrars = registrarSettings.map((name): [string, RegExp] => [name, /./])
  const settings = Object.entries(REAL).flatMap((entry) =>
    entry[0] === 'NAMEWRIGHT_REGISTRARS' ? [entry, ...ofRegistrars] : [entry],
  )
  return settings.flatMap(([name, real]) => {
    const text = env[name]?.trim() ?? ''
    return text !== '' && real.test(text) ? [name] : []
  })
}

/**
 * Links with which a person can search for a name: trademark offices and social sites. They are never verdicts: the
 * offices need a person to judge similarity, and the sites allow no lookups by programs.
 *
 * The addresses are those of the sites' own search pages, as of 2026-11-17.
 */
const SITES = {
  uspto: (name) => `https://tmsearch.uspto.gov/search/search-results?query=${name}`,
  euipo: (name) => `https://euipo.europa.eu/eSearch/#basic/1+1+1+1/100+100+100+100/${name}`,
  wipo: (name) => `https://branddb.wipo.int/en/quicksearch?by=brandName&v=${name}`,
  x: (_, label) => `https://x.com/${label}`,
  instagram: (_, label) => `https://www.instagram.com/${label}/`,
  youtube: (_, label) => `https://www.youtube.com/@${label}`,
} as const satisfies Record<string, (name: string, label: string) => string>

export type LinkSite = keyof typeof SITES
export const LINK_SITES = Object.keys(SITES) as readonly LinkSite[]

/** `name` as it was sent, for offices; `label` as sites write user names. */
export function linksOf(name: string, label: string): readonly { readonly site: LinkSite; readonly url: string }[] {
  const encoded = encodeURIComponent(name.trim().toWellFormed())
  return LINK_SITES.map((site) => ({ site, url: SITES[site](encoded, label) }))
}

/**
 * Packages and handles of a name, asked for on demand: only a press sends the name to package registries and code hosts.
 *
 * A missing entry is never shown as available. Trademark offices and social sites are links for people to open.
 */
import type { CheckedName, NameVerdict } from '@namewright/client'
import { useEffect, useId, useRef, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { suffixOf } from '../result.ts'

const DEADLINE_MS = 5_000

const TITLES: Readonly<Record<string, string>> = {
  npm: 'npm',
  pypi: 'PyPI',
  'crates-io': 'crates.io',
  rubygems: 'RubyGems',
  'docker-hub': 'Docker Hub',
  'homebrew-formula': 'Homebrew formula',
  'homebrew-cask': 'Homebrew cask',
  github: 'GitHub',
  gitlab: 'GitLab',
  uspto: 'USPTO',
  euipo: 'EUIPO',
  wipo: 'WIPO',
  x: 'X',
  instagram: 'Instagram',
  youtube: 'YouTube',
}

const WORDS: Readonly<Partial<Record<NameVerdict['rule'], TextId>>> = {
  exists: 'handles.taken',
  similar_exists: 'handles.taken',
  reserved_word: 'handles.reserved',
  invalid_name: 'handles.invalid',
  not_found: 'handles.notFound',
}

type State = CheckedName | 'idle' | 'asking' | 'failed'

interface HandlesProps {
  readonly name: string
  /** A domain of it: the service checks a name under at least one suffix. */
  readonly domain: string
}

export default function HandlesRow({ name, domain }: HandlesProps) {
  const { t } = useText()
  const client = useClient()
  const [state, setState] = useState<State>('idle')
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const checked = typeof state === 'object' ? state : undefined
  // The button that was pressed is gone, so the focus goes to what replaces it.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [checked])

  async function ask() {
    if (!client) return
    setState('asking')
    const { signal } = (abort.current = new AbortController())
    const include = ['packages', 'code', 'links'] as const
    const body = { names: [name], tlds: [suffixOf(domain)], include, deadline_ms: DEADLINE_MS }
    const found = await client.checkNames(body, { signal }).catch(() => [])
    if (!signal.aborted) setState(found[0] ?? 'failed')
  }

  if (!checked)
    return (
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        {state === 'failed' && <p role="alert">{t('handles.failed')}</p>}
        <Button small onClick={() => void ask()} busy={state === 'asking'}>
          {t('handles.check')}
        </Button>
      </div>
    )
  const { packages = [], code = [], links = [] } = checked
  return (
    <section aria-labelledby={id} className="grid gap-2 border-t border-line pt-3">
      <h3 ref={heading} id={id} tabIndex={-1} className="font-semibold focus:outline-none">
        {t('handles.title')}
      </h3>
      <ul>
        {[...packages, ...code].map(({ namespace, rule, url }) => (
          <li key={namespace} className="flex items-center justify-between gap-2">
            <Outside url={url}>{TITLES[namespace] ?? namespace}</Outside>
            <span className="text-end text-faint">{t(WORDS[rule] ?? 'handles.unknown')}</span>
          </li>
        ))}
      </ul>
      <p className="text-faint">{t('handles.note')}</p>
      <p className="text-faint">{t('handles.links')}</p>
      <ul className="flex flex-wrap gap-x-4">
        {links.map(({ site, url }) => (
          <li key={site}>
            <Outside url={url}>{TITLES[site] ?? site}</Outside>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Outside({ url, children }: { readonly url: string; readonly children: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      translate="no"
      className="inline-flex min-h-8 items-center underline pointer-coarse:min-h-11 pointer-coarse:min-w-11"
    >
      <bdi>{children}</bdi>
    </a>
  )
}

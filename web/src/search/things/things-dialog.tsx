/**
 * The name on things: a favicon, a browser tab, an app icon, a shop sign and a business card. Each picture is what is taken
 * along: the file holds its face, so it looks the same wherever a browser shows it.
 */
import { useQuery } from '@tanstack/react-query'
import type { TextId } from '../../i18n/i18n.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { download } from '../../ui/download.ts'
import { Fault } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'
import { moodOf } from '../moods/mood.ts'
import { drawThing, initialOf, SIZES, THINGS } from './draw.ts'
import type { Thing } from './draw.ts'
import { embeddedFace, FACES, measuredEms } from './faces.ts'
import { pngOf, urlOf } from './png.ts'

const NAMES = {
  favicon: 'things.favicon',
  tab: 'things.tab',
  icon: 'things.icon',
  sign: 'things.sign',
  card: 'things.card',
} as const satisfies Record<Thing, TextId>

export default function ThingsDialog({
  name,
  domain,
  onClose,
}: {
  readonly name: string
  readonly domain: string
  readonly onClose: () => void
}) {
  const { t } = useText()
  const mood = moodOf(name)
  const { data, error, refetch } = useQuery({
    queryKey: ['things', name, domain],
    queryFn: () => drawAll(name, domain),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('things.title', { name })}
      description={t(mood === 'system' ? 'things.aboutSystem' : 'things.about')}
    >
      {error ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : (
        <ul aria-busy={data === undefined} className="grid gap-5 sm:grid-cols-2">
          {THINGS.map((thing) => (
            <Figure key={thing} thing={thing} name={name} svg={data?.[thing]} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Figure({
  thing,
  name,
  svg,
}: {
  readonly thing: Thing
  readonly name: string
  readonly svg: string | undefined
}) {
  const { t } = useText()
  const [width, height] = SIZES[thing]
  const label = t(NAMES[thing])
  const file = (ending: string) => `${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${thing}.${ending}`
  const saved = (ending: string) => showToast({ text: t('export.saved', { file: file(ending) }) })
  const saveSvg = () => {
    download(svg ?? '', { name: file('svg'), type: 'image/svg+xml;charset=utf-8' })
    saved('svg')
  }
  const savePng = async () => {
    try {
      download(await pngOf(svg ?? '', thing), { name: file('png'), type: 'image/png' })
      saved('png')
    } catch {
      showToast({ kind: 'failed', text: t('things.failed') })
    }
  }
  return (
    <li className={thing === 'favicon' || thing === 'icon' ? '' : 'sm:col-span-2'}>
      <figure className="grid gap-2">
        <div className="grid min-h-40 place-items-center rounded-lg bg-sunken p-4">
          {svg === undefined ? (
            <div style={{ width, maxWidth: '100%', aspectRatio: `${width} / ${height}` }} />
          ) : (
            <img
              src={urlOf(svg)}
              alt={t('things.picture', { name, thing: label })}
              width={width}
              height={height}
              className={thing === 'icon' ? 'h-auto w-32' : 'h-auto max-w-full'}
            />
          )}
        </div>
        <figcaption className="flex flex-wrap items-center gap-2">
          <span className="me-auto font-medium">{label}</span>
          {(['SVG', 'PNG'] as const).map((format) => (
            <Button
              key={format}
              small
              icon="download"
              disabled={svg === undefined}
              aria-label={t('things.download', { thing: label, format })}
              onClick={format === 'SVG' ? saveSvg : () => void savePng()}
            >
              <span translate="no">{format}</span>
            </Button>
          ))}
        </figcaption>
      </figure>
    </li>
  )
}

async function drawAll(name: string, domain: string): Promise<Readonly<Record<Thing, string>>> {
  const face = FACES[moodOf(name)]
  const [rules, wide, initial] = await Promise.all([
    embeddedFace(face),
    measuredEms(name, face),
    measuredEms(initialOf(name), face),
  ])
  const drawn = { name, domain, face, rules, ems: { name: Math.max(0.1, wide), initial } }
  const [favicon = '', icon = '', tab = '', sign = '', card = ''] = THINGS.map((thing) => drawThing(thing, drawn))
  return { favicon, tab, icon, sign, card }
}

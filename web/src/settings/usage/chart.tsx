/**
 * A chart of days, for those who see it: hidden from everybody else, because a table with the same numbers stands below it.
 * Its colours are those of the page, and follow when the page changes from light to dark.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Skeleton } from '../../ui/layout.tsx'
import { useDayText } from './day-text.ts'
import type { Series } from './series.ts'

const COLORS = ['accent', 'sale', 'free', 'premium', 'unknown', 'taken'] as const
const SWATCHES = ['bg-accent', 'bg-sale', 'bg-free', 'bg-premium', 'bg-unknown', 'bg-taken'] as const
// Before uPlot is here, so that nothing moves when it comes.
const PLACE = 'h-60'

export function Chart({ days, series }: { readonly days: readonly string[]; readonly series: readonly Series[] }) {
  const { language } = useText()
  const format = useFormat()
  const dayText = useDayText()
  const place = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const themeVersion = useThemeVersion()
  const texts = useEffectEvent(() => ({
    dayText: dayText.short,
    numberText: (value: number) => format.number(value),
  }))

  useEffect(() => {
    const into = place.current
    const end = new AbortController()
    const show = async () => {
      const { draw } = await import('./draw.ts')
      if (!into || end.signal.aborted) return
      const color = colorsWithin(into)
      const colors = COLORS.map((name) => color(name))
      const drawing = { days, series, colors, ink: color('faint'), line: color('line'), ...texts() }
      const drawn = draw(into, { ...drawing, onPoint: setPointed })
      const sizes = new ResizeObserver(() => drawn.setWidth(into.clientWidth))
      sizes.observe(into)
      setDrawn(true)
      end.signal.addEventListener('abort', () => {
        sizes.disconnect()
        drawn.destroy()
      })
    }
    void show()
    return () => end.abort()
  }, [days, series, themeVersion, language])

  const day = pointed === null ? undefined : days[pointed]
  return (
    <div aria-hidden="true" className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-card p-4">
      {/* Time runs from left to right in a chart of any language. */}
      <div dir="ltr" className={`relative min-w-0 ${PLACE}`}>
        {!isDrawn && <Skeleton className="absolute inset-0" />}
        <div ref={place} className="absolute inset-0" />
      </div>
      <div className="grid gap-2 text-sm">
        <p className="text-faint">{day === undefined ? ' ' : dayText.long(day)}</p>
        <ul className="flex flex-wrap gap-x-6 gap-y-1.5">
          {series.map(({ id, name, total, values }, at) => (
            <li key={id} className="flex items-baseline gap-2">
              <span className={`size-3 shrink-0 translate-y-px rounded-[3px] ${SWATCHES[at] ?? 'bg-taken'}`} />
              <bdi>{name}</bdi>
              <span className="text-faint tabular-nums">
                {format.number(pointed === null ? total : (values[pointed] ?? 0))}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Changes when the colours of the page do. */
function useThemeVersion(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const watching = new MutationObserver(() => setVersion((count) => count + 1))
    watching.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] })
    return () => watching.disconnect()
  }, [])
  return version
}

/** A canvas knows no variables of CSS, so the page is asked what it makes of each. */
function colorsWithin(element: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = element.appendChild(document.createElement('span'))
    probe.style.color = `var(--color-${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}

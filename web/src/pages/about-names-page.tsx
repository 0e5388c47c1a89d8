/**
 * Privacy and trust, in plain words: no front-running, who is asked what, what is kept, and what one can
 * switch off. It says what the software does; what an operator may choose is said as such. The manual has every detail.
 */
import { Link } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { KeptHistory } from './about/kept-history.tsx'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Rich } from '../i18n/rich.tsx'
import { PageTitle, Section } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'

const AHEAD = [
  'about.ahead1',
  'about.ahead2',
  'about.ahead3',
  'about.aheadRegister',
] as const satisfies readonly TextId[]

/** What it is, and who sees it. */
const ASKED = [
  ['about.askedDescription', 'about.askedDescriptionWho'],
  ['about.askedConsidered', 'about.askedConsideredWho'],
  ['about.askedShown', 'about.askedShownWho'],
  ['about.askedAgain', 'about.askedAgainWho'],
  ['about.askedWatched', 'about.askedWatchedWho'],
] as const satisfies readonly (readonly [TextId, TextId])[]

const KEPT = [
  ['about.keptVisitor', 'about.keptVisitorFor'],
  ['about.keptAnswer', 'about.keptAnswerFor'],
  ['about.keptHistory', 'about.keptHistoryFor'],
  ['about.keptFavorites', 'about.keptFavoritesFor'],
  ['about.keptVerdicts', 'about.keptVerdictsFor'],
  ['about.keptSessions', 'about.keptSessionsFor'],
  ['about.keptLog', 'about.keptLogFor'],
] as const satisfies readonly (readonly [TextId, TextId])[]

const MANUAL = [
  ['about.manualPrivacy', '/docs/privacy'],
  ['about.manualWho', '/docs/availability#who-sees-your-names'],
  ['about.manualSecurity', '/docs/security'],
] as const satisfies readonly (readonly [TextId, string])[]

const LINK = 'text-accent underline underline-offset-4'

export default function AboutNamesPage() {
  const { t } = useText()
  const { person } = useSession()
  return (
    <article className="mx-auto max-w-[48rem]">
      <PageTitle>{t('about.title')}</PageTitle>
      <p className="mb-10 text-lg">{t('about.lead')}</p>

      <div>
        <Section title={t('about.ahead')}>
          <ul className="grid list-disc gap-2 ps-5">
            {AHEAD.map((id) => (
              <li key={id}>{t(id)}</li>
            ))}
          </ul>
        </Section>

        <Section title={t('about.asked')} description={t('about.askedText')}>
          <Rows caption={t('about.asked')} head={[t('about.askedWhat'), t('about.askedWho')]} rows={ASKED} />
          <p>{t('about.promise')}</p>
        </Section>

        <Section title={t('about.kept')} description={t('about.keptText')}>
          <Rows caption={t('about.kept')} head={[t('about.keptWhat'), t('about.keptHow')]} rows={KEPT} />
          <p>{t('about.cookies')}</p>
        </Section>

        <Section title={t('about.yours')}>
          {person ? <KeptHistory /> : <p>{t('about.yoursVisitor')}</p>}
          <p>
            <Rich
              id="about.yoursText"
              parts={[
                <Link key="history" to="/history" className={LINK} />,
                <Link key="data" to="/settings/data" className={LINK} />,
              ]}
            />
          </p>
        </Section>

        <Section title={t('about.manual')}>
          <ul className="grid list-disc gap-2 ps-5">
            {MANUAL.map(([id, path]) => (
              <li key={id}>
                <a href={path} className={LINK}>
                  {t(id)}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </article>
  )
}

function Rows(props: {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly [TextId, TextId])[]
}) {
  const { t } = useText()
  return (
    <Table caption={props.caption} head={props.head}>
      {props.rows.map(([what, who]) => (
        <tr key={what}>
          <th scope="row" className="w-2/5 px-4 py-3 text-start align-top font-medium">
            {t(what)}
          </th>
          <td>{t(who)}</td>
        </tr>
      ))}
    </Table>
  )
}

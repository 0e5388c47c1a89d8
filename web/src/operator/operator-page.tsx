/** For the operator: sources and accounts. For everybody else the page does not exist. */
import { useQuery } from '@tanstack/react-query'
import { sourcesQuery } from '../api/operator.ts'
import type { Source } from '../api/settings-types.ts'
import { useSession } from '../api/session.ts'
import { useFormat } from '../i18n/format.ts'
import { useText, type TextId } from '../i18n/i18n.ts'
import { NotFound } from '../pages/not-found.tsx'
import { Fault } from '../ui/fault.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Badge, Ltr, PageTitle, Section, Skeleton, type BadgeTone } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Accounts, NumberCell } from './accounts.tsx'

const KINDS: Readonly<Record<Source['kind'], TextId>> = {
  registry: 'operator.registry',
  registrar: 'operator.registrar',
  dns: 'operator.dns',
  index: 'operator.index',
  namespace: 'operator.namespace',
  cache: 'operator.cache',
  language_model: 'operator.languageModel',
}

/** Those that need attention first. */
const STATES: Readonly<
  Record<Source['state'], { readonly tone: BadgeTone; readonly icon: IconName; readonly text: TextId }>
> = {
  failing: { tone: 'wrong', icon: 'warn', text: 'operator.failing' },
  unreliable: { tone: 'sale', icon: 'warn', text: 'operator.unreliable' },
  slow: { tone: 'sale', icon: 'clock', text: 'operator.slow' },
  resting: { tone: 'unknown', icon: 'moon', text: 'operator.circuitOpen' },
  well: { tone: 'free', icon: 'check', text: 'operator.healthy' },
  off: { tone: 'taken', icon: 'minus', text: 'operator.off' },
}

export default function OperatorPage() {
  const { t } = useText()
  if (useSession().person?.is_operator !== true) return <NotFound />
  return (
    <>
      <PageTitle>{t('operator.title')}</PageTitle>
      <Sources />
      <Accounts />
    </>
  )
}

function Sources() {
  const { t } = useText()
  const format = useFormat()
  const { data, error, refetch } = useQuery(sourcesQuery)
  const order = Object.keys(STATES)
  const sorted = data?.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return (
    <Section title={t('operator.sources')} description={t('operator.sourcesText')}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!sorted && !error && (
        <div aria-busy="true">
          <Skeleton className="h-72" />
        </div>
      )}
      {sorted && (
        <Table
          caption={t('operator.sources')}
          numeric={[2, 3, 4]}
          head={[
            t('operator.source'),
            t('operator.state'),
            t('operator.asked'),
            t('operator.answered'),
            t('operator.failed'),
            t('operator.lastAnswer'),
          ]}
        >
          {sorted.map(({ name, kind, state, asked, answered, failed, last_answer_at: last, detail }) => (
            <tr key={`${kind} ${name}`}>
              <td className="min-w-44">
                <Ltr className="font-medium">{name}</Ltr>
                <p className="text-sm text-faint">{t(KINDS[kind])}</p>
              </td>
              <td>
                <Badge tone={STATES[state].tone}>
                  <Icon name={STATES[state].icon} size={15} />
                  {t(STATES[state].text)}
                </Badge>
                <Detail said={detail} />
              </td>
              <NumberCell value={asked} />
              <NumberCell value={answered} />
              <NumberCell value={failed} />
              <td className="whitespace-nowrap text-faint">
                {last === null ? t('operator.never') : <time dateTime={last}>{format.ago(last)}</time>}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}

/** What a source says of itself. The service writes it in English; what it says most is said in the reader's language. */
function Detail({ said }: { readonly said: string | null }) {
  const { t } = useText()
  if (said === null) return null
  const [, believed, all] = /^(?:(\d+) of )?(\d+) suffixes/.exec(said) ?? []
  const known =
    said === 'not used yet'
      ? t('operator.notAsked')
      : said === 'not connected'
        ? t('operator.notConnected')
        : believed !== undefined
          ? t('operator.someSuffixes', { count: Number(believed), all: Number(all) })
          : all === undefined
            ? undefined
            : t('operator.suffixes', { count: Number(all) })
  return (
    <p {...(known === undefined ? { lang: 'en' } : {})} className="mt-1 max-w-60 text-sm text-faint">
      {known ?? said}
    </p>
  )
}

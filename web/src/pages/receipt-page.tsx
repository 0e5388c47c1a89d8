/** /n/{token}: everything that was confirmed about a name, by whom and when, for everyone who has the link. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { isErrorCode } from 'namewright'
import { useEffect } from 'react'
import { receiptQuery } from '../api/receipts.ts'
import type { NameReceipt } from '../api/receipts.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Age, CheckReceiptAgain } from '../receipt/age.tsx'
import { ConfirmedDomains } from '../receipt/confirmed-domains.tsx'
import { Costs } from '../receipt/costs.tsx'
import { entryOfReceipt, receiptStateOf } from '../receipt/entry-of-receipt.ts'
import { SayIt } from '../search/actions/say-it.tsx'
import { RisksFound } from '../search/compare/facts.tsx'
import { moodOf } from '../search/moods/mood.ts'
import '../search/moods/moods.css'
import '../receipt/receipt.css'
import { RegisterMenu } from '../search/register/register-menu.tsx'
import { sourceNames } from '../search/results/domain-facts.tsx'
import { StateBadge } from '../search/results/state-badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Empty, Ltr, PageTitle, Section, Skeleton } from '../ui/layout.tsx'

export default function ReceiptPage() {
  const { t } = useText()
  const { token = '' } = useParams({ strict: false })
  const receipt = useQuery(receiptQuery(token))
  return (
    <>
      {/* Only for those who were given the link. */}
      <meta name="robots" content="noindex" />
      {receipt.data ? (
        <OpenReceipt receipt={receipt.data} />
      ) : receipt.isPending ? (
        <Waiting />
      ) : isErrorCode(receipt.error, 'not_found') ? (
        <>
          <PageTitle>{t('receipt.gone')}</PageTitle>
          <Empty
            icon="link"
            title={t('receipt.gone')}
            action={
              <Link to="/" className={buttonClass('main')}>
                {t('receipt.search')}
              </Link>
            }
          >
            {t('receipt.goneText')}
          </Empty>
        </>
      ) : (
        <Fault error={receipt.error} onRetry={() => void receipt.refetch()} />
      )}
    </>
  )
}

function OpenReceipt({ receipt }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const { name, domains } = receipt
  const [first] = domains
  useEffect(() => {
    document.title = `${t('receipt.openOf', { name })} · Namewright`
    return () => {
      document.title = 'Namewright'
    }
  }, [t, name])
  return (
    <article className="grid gap-8">
      <header className="grid gap-4">
        <h1 data-mood={moodOf(name)} data-seen="" className="mood receipt-name">
          <bdi translate="no">{name}</bdi>
        </h1>
        {first && (
          <p className="flex flex-wrap items-center gap-3 text-lg">
            <Ltr className="receipt-domain font-mono">{first.domain}</Ltr>
            <StateBadge state={receiptStateOf(first)} />
          </p>
        )}
        <Age receipt={receipt} />
        <div className="flex flex-wrap items-center gap-2">
          <CheckReceiptAgain receipt={receipt} />
          <CopyButton text={location.href} label={t('receipt.copy')} small={false} />
          {first && <RegisterMenu domain={entryOfReceipt(first)} />}
        </div>
        <p className="max-w-[40rem] text-faint">{t('receipt.lead')}</p>
      </header>
      <div>
        <Section title={t('receipt.confirmed')}>
          <ConfirmedDomains domains={domains} />
        </Section>
        <Section title={t('receipt.cost')} description={t('receipt.costText')}>
          <Costs domains={domains} />
        </Section>
        <SoundOf receipt={receipt} />
        <LanguagesOf receipt={receipt} />
        <AskedOf receipt={receipt} />
      </div>
    </article>
  )
}

function SoundOf({ receipt: { name, sound } }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Section title={t('receipt.sound')} description={t(sound ? 'receipt.soundText' : 'receipt.noSound')}>
      {sound && (
        <dl className="receipt-sound grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1">
          <dt className="text-faint">{t('compare.said')}</dt>
          <dd className="flex items-center gap-1">
            <bdi translate="no">{sound.said}</bdi>
            <SayIt name={name} language="en" />
          </dd>
          <dt className="text-faint">{t('compare.syllables')}</dt>
          <dd>{format.number(sound.syllables)}</dd>
        </dl>
      )}
    </Section>
  )
}

function LanguagesOf({ receipt: { risks } }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const format = useFormat()
  const languages = format.list(risks.languages.map((code) => format.languageName(code)))
  const isChecked = risks.checked > 0
  return (
    <Section
      title={t('receipt.languages')}
      description={isChecked ? t('receipt.languagesLists', { languages }) : t('receipt.languagesNone')}
    >
      {isChecked && <RisksFound risks={risks} />}
    </Section>
  )
}

function AskedOf({ receipt: { domains, asks } }: { readonly receipt: NameReceipt }) {
  const { t } = useText()
  const format = useFormat()
  const answered = [...new Set(domains.flatMap(({ sources }) => sources))]
  const named = (sources: readonly string[]) => format.list(sourceNames(t, sources))
  return (
    <Section title={t('receipt.asked')}>
      <p className="max-w-[40rem]">
        {answered.length === 0 ? t('receipt.askedNobody') : t('receipt.askedText', { sources: named(answered) })}
      </p>
      <p className="max-w-[40rem]">{t('receipt.askedOnly', { sources: named(asks) })}</p>
    </Section>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-14 w-72" />
      <Skeleton className="h-6 w-96 max-w-full" />
      <Skeleton className="mt-6 h-52 rounded-lg" />
    </div>
  )
}

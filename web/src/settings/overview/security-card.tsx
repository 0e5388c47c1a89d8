/** Whether a stolen password is enough to get in. */
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { PAGES } from '../frame/pages.ts'
import { StatusLine } from './status-line.tsx'
import { OverviewCard } from './overview-card.tsx'

export function SecurityCard() {
  const { t } = useText()
  const { person } = useSession()
  const isOn = person?.two_factor === true
  return (
    <OverviewCard page={PAGES.security} go={isOn ? 'settings.goSecurity' : 'settings.goSecondFactor'}>
      <StatusLine is={isOn ? 'good' : 'mind'}>
        {t(isOn ? 'settings.secondFactorOn' : 'settings.secondFactorOff')}
      </StatusLine>
      {!isOn && <p className="text-sm text-faint">{t('settings.secondFactorWhy')}</p>}
    </OverviewCard>
  )
}

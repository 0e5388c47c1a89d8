/** The second step after the password: off, on, and the way between. */
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Badge, Section } from '../../ui/layout.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { TurnOff } from './turn-off.tsx'
import { TurnOn } from './turn-on.tsx'

export function TwoFactor() {
  const { t } = useText()
  const isOn = useSession().person?.two_factor === true
  const [open, setOpen] = useState<'on' | 'off' | 'codes'>()
  const close = () => setOpen(undefined)
  return (
    <Section
      title={t('security.twoFactor')}
      description={t('security.twoFactorText')}
      actions={
        <Badge tone={isOn ? 'free' : 'taken'}>
          <Icon name={isOn ? 'check' : 'minus'} size={16} />
          {t(isOn ? 'security.isOn' : 'security.isOff')}
        </Badge>
      }
    >
      <div className="flex flex-wrap gap-3">
        {isOn ? (
          <>
            <Button onClick={() => setOpen('codes')}>{t('security.newCodes')}</Button>
            <Button kind="danger" onClick={() => setOpen('off')}>
              {t('security.turnOff')}
            </Button>
          </>
        ) : (
          <Button icon="shield" onClick={() => setOpen('on')}>
            {t('security.turnOn')}
          </Button>
        )}
      </div>
      {open === 'on' && <TurnOn onClose={close} />}
      {open === 'off' && <TurnOff onClose={close} />}
      {open === 'codes' && <NewRecoveryCodes onClose={close} />}
    </Section>
  )
}

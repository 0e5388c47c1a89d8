import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'
import { Farewell } from './data/farewell.tsx'
import { TakeAlong } from './data/take-along.tsx'

export default function DataPage() {
  const { t } = useText()
  return (
    <>
      <PageTitle>{t('data.title')}</PageTitle>
      <div>
        <TakeAlong />
        <Farewell />
      </div>
    </>
  )
}

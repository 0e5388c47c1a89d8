import { useText } from '../i18n/i18n.ts'
import { PageTitle } from '../ui/layout.tsx'
import { DeleteAccount } from './data/delete-account.tsx'
import { ExportData } from './data/export-data.tsx'

export default function DataPage() {
  const { t } = useText()
  return (
    <>
      <PageTitle>{t('data.title')}</PageTitle>
      <div>
        <ExportData />
        <DeleteAccount />
      </div>
    </>
  )
}

/** A text with elements inside: `<0>…</0>` in the message is the first of `parts`. */
import { Trans } from '@lingui/react'
import type { ReactElement } from 'react'
import type { TextId, Values } from './i18n.ts'

export function Rich({
  id,
  values,
  parts = [],
}: {
  readonly id: TextId
  readonly values?: Values
  readonly parts?: readonly ReactElement[]
}) {
  return <Trans id={id} values={values ?? {}} components={Object.fromEntries(parts.entries())} />
}

/** The dialogs of the keys, one at a time: making, changing, rotating, revoking, and what follows from each. */
import type { Key, KeyWithSecret } from '../../api/settings-types.ts'
import { ChangeKey } from './change-key.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyShownOnce } from './key-shown-once.tsx'
import { RetiringDialog } from './retiring-dialog.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

export type KeyAct = 'edit' | 'rotate' | 'revoke' | 'retiring'

export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: KeyAct; readonly of: Key }
  /** `old`: the one before still works. */
  | { readonly kind: 'shown'; readonly of: KeyWithSecret; readonly rotated: boolean; readonly old: boolean }

export function KeyDialogs({
  open,
  onOpen,
  onRevoked,
}: {
  readonly open: OpenDialog | undefined
  readonly onOpen: (next: OpenDialog | undefined) => void
  readonly onRevoked: () => void
}) {
  const close = () => onOpen(undefined)
  switch (open?.kind) {
    case undefined:
      return null
    case 'create':
      return (
        <CreateKey
          onClose={close}
          onCreated={(made) => onOpen({ kind: 'shown', of: made, rotated: false, old: false })}
        />
      )
    case 'edit':
      return <ChangeKey of={open.of} onClose={close} />
    case 'rotate':
      return (
        <RotateKey
          of={open.of}
          onClose={close}
          onRotated={(made, graceSeconds) => onOpen({ kind: 'shown', of: made, rotated: true, old: graceSeconds > 0 })}
        />
      )
    case 'shown': {
      const { of, old } = open
      return (
        <KeyShownOnce
          of={of}
          rotated={open.rotated}
          onDone={() => onOpen(old ? { kind: 'retiring', of } : undefined)}
        />
      )
    }
    case 'retiring':
      return <RetiringDialog of={open.of} onClose={close} />
    case 'revoke':
      return <RevokeKey of={open.of} onClose={close} onRevoked={onRevoked} />
  }
}

/** Everything that is pressed. One main button to a form; what registers a domain is one as well; what destroys is `danger` and named by its verb. */
import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

type Kind = 'main' | 'plain' | 'quiet' | 'danger'

const CLASSES: Readonly<Record<Kind, string>> = {
  main: 'bg-accent text-on-accent border-accent hover:bg-accent-strong hover:border-accent-strong',
  plain: 'bg-card text-ink border-edge hover:bg-sunken',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-card text-wrong border-wrong hover:bg-wrong-soft',
}

export function buttonClass(kind: Kind, small = false): string {
  return classes(
    'inline-flex items-center justify-center gap-2 rounded-md border font-medium no-underline transition-colors duration-150',
    'disabled:opacity-55 aria-disabled:opacity-55',
    small ? 'min-h-9 px-3 text-sm pointer-coarse:min-h-11' : 'min-h-11 px-4',
    CLASSES[kind],
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: Kind
  readonly small?: boolean
  readonly icon?: IconName
  /** Under way: it cannot be pressed again, and says so. */
  readonly busy?: boolean
  readonly children?: ReactNode
}

export function Button({
  kind = 'plain',
  small = false,
  icon,
  busy = false,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={busy || rest.disabled}
      className={classes(buttonClass(kind, small), className)}
    >
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName
  /** What it does, for those who cannot see the sign; also shown on hover. */
  readonly label: string
  readonly filled?: boolean
  readonly small?: boolean
}

export function IconButton({ icon, label, filled = false, small = false, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes(
        'inline-flex items-center justify-center rounded-md text-faint transition-colors duration-150 hover:bg-sunken hover:text-ink',
        'disabled:opacity-55 aria-pressed:text-accent',
        small ? 'size-8 pointer-coarse:size-11' : 'size-10 pointer-coarse:size-11',
        className,
      )}
    >
      <Icon name={icon} filled={filled} size={small ? 17 : 20} />
    </button>
  )
}

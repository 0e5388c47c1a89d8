import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icon.tsx'

/** A toggle for a view option. With an icon, its label is for screen readers and shown on hover. */
export function ToggleButton({
  isOn,
  label,
  icon,
  onToggle,
}: {
  readonly isOn: boolean
  readonly label: string
  readonly icon?: IconName
  readonly onToggle: (isOn: boolean) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      {...(icon ? { 'aria-label': label, title: label } : {})}
      onClick={() => onToggle(!isOn)}
      className={classes(
        'inline-flex min-h-9 min-w-9 pointer-coarse:min-h-11 pointer-coarse:min-w-11 items-center justify-center gap-1.5 rounded-md border px-2.5 text-sm transition-colors duration-150',
        isOn ? 'border-accent bg-accent-soft text-accent-strong' : 'border-edge bg-card hover:bg-sunken',
      )}
    >
      {icon ? <Icon name={icon} size={18} /> : isOn && <Icon name="check" size={16} />}
      {!icon && label}
    </button>
  )
}

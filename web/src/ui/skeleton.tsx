import { classes } from './classes.ts'

/** The shape of what comes. Its parent says `aria-busy`. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden="true" className={classes('rounded-md bg-line/60', className ?? 'h-5 w-full')} />
}

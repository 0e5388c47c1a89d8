/** A page that fails takes nothing else with it. */
import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component } from 'react'
import type { ReactNode } from 'react'
import { Fault } from '../ui/fault.tsx'

class Boundary extends Component<
  { readonly children: ReactNode; readonly quiet: boolean; readonly onReset: () => void },
  { readonly error: unknown; readonly failed: boolean }
> {
  override state = { error: undefined as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    if (this.props.quiet) return null
    const retry = () => {
      this.props.onReset()
      this.setState({ error: undefined, failed: false })
    }
    return <Fault error={this.state.error} onRetry={retry} />
  }
}

/** `quiet`: it is only left out, where the page itself says what is wrong. */
export function ShellBoundary({ children, quiet = false }: { readonly children: ReactNode; readonly quiet?: boolean }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Boundary quiet={quiet} onReset={reset}>
          {children}
        </Boundary>
      )}
    </QueryErrorResetBoundary>
  )
}

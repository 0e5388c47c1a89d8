/**
 * What this extension uses of `@raycast/api`, declared by hand: the package itself is not installed here. Raycast provides
 * it at run time.
 */
declare module '@raycast/api' {
  import type { ReactElement, ReactNode } from 'react'

  type Component<Props> = (props: Props) => ReactElement

  export const Color: Readonly<Record<'Green' | 'Red' | 'SecondaryText' | 'Yellow', string>>
  export const Icon: Readonly<
    Record<
      'CheckCircle' | 'Clipboard' | 'Globe' | 'MagnifyingGlass' | 'QuestionMarkCircle' | 'Warning' | 'XMarkCircle',
      string
    >
  >
  export interface Image {
    readonly source: string
    readonly tintColor?: string
  }

  export const List: Component<{
    isLoading?: boolean
    navigationTitle?: string
    searchBarPlaceholder?: string
    children?: ReactNode
  }> & {
    readonly Section: Component<{ title?: string; subtitle?: string; children?: ReactNode }>
    readonly Item: Component<{
      title: string
      subtitle?: string
      icon?: Image
      keywords?: string[]
      accessories?: { text?: string; tag?: { value: string; color: string }; tooltip?: string }[]
      actions?: ReactNode
    }>
    readonly EmptyView: Component<{ title: string; description?: string; icon?: string }>
  }

  export const ActionPanel: Component<{ children?: ReactNode }> & {
    readonly Submenu: Component<{ title: string; icon?: string; children?: ReactNode }>
  }
  export const Action: {
    readonly CopyToClipboard: Component<{ title?: string; content: string; icon?: string }>
    readonly OpenInBrowser: Component<{ title?: string; url: string; icon?: string }>
    readonly SubmitForm: <Values>(props: {
      title?: string
      icon?: string
      onSubmit: (values: Values) => void
    }) => ReactElement
  }

  export const Form: Component<{ actions?: ReactNode; children?: ReactNode }> & {
    readonly TextArea: Component<{
      id: string
      title?: string
      placeholder?: string
      error?: string
      onChange?: (value: string) => void
    }>
    readonly Dropdown: Component<{ id: string; title?: string; defaultValue?: string; children?: ReactNode }> & {
      readonly Item: Component<{ title: string; value: string }>
    }
  }

  export type LaunchProps<Props extends { readonly arguments: object }> = Readonly<Pick<Props, 'arguments'>>

  export function getPreferenceValues<Values>(): Values
  export function useNavigation(): { readonly push: (component: ReactNode) => void }
}

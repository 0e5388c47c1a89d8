/** The list of both commands: asks the service once, and shows rows or the reason why there are none. */
import { Action, ActionPanel, Color, getPreferenceValues, Icon, List } from '@raycast/api'
import type { Image } from '@raycast/api'
import { createNamewright } from 'namewright'
import { useEffect, useState } from 'react'
import { ask } from './ask.ts'
import type { Question } from './ask.ts'
import { problemOf } from './problem.ts'
import type { Problem } from './problem.ts'
import type { Row, Section } from './rows.ts'

interface Preferences {
  readonly baseUrl: string
  readonly apiKey: string
}

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'done'; readonly sections: readonly Section[] }
  | { readonly kind: 'failed'; readonly problem: Problem }

const MARKS: Readonly<Record<Row['kind'], { readonly icon: string; readonly color: string }>> = {
  free: { icon: Icon.CheckCircle, color: Color.Green },
  premium: { icon: Icon.CheckCircle, color: Color.Yellow },
  'not free': { icon: Icon.XMarkCircle, color: Color.Red },
  unknown: { icon: Icon.QuestionMarkCircle, color: Color.SecondaryText },
}

export function Results({ question, title }: { question: Question; title: string }) {
  const [state, setState] = useState<State>({ kind: 'loading' })

  useEffect(() => {
    const controller = new AbortController()
    async function show(): Promise<void> {
      const loaded = await load(question, controller.signal)
      if (!controller.signal.aborted) setState(loaded)
    }
    void show()
    return () => controller.abort()
  }, [question])

  return (
    <List isLoading={state.kind === 'loading'} navigationTitle={title} searchBarPlaceholder="Filter results">
      {state.kind === 'failed' && <List.EmptyView icon={Icon.Warning} {...state.problem} />}
      {state.kind === 'done' &&
        state.sections.map((section) => (
          <List.Section key={`${section.title} ${section.subtitle}`} title={section.title} subtitle={section.subtitle}>
            {section.rows.map((row) => (
              <Item key={row.id} row={row} name={section.title} />
            ))}
          </List.Section>
        ))}
    </List>
  )
}

/** Never rejects: a wrong preference is a problem to show, too. */
async function load(question: Question, signal: AbortSignal): Promise<State> {
  try {
    const namewright = createNamewright(getPreferenceValues<Preferences>())
    return { kind: 'done', sections: await ask(namewright, question, signal) }
  } catch (error) {
    return { kind: 'failed', problem: problemOf(error) }
  }
}

function Item({ row, name }: { row: Row; name: string }) {
  const { icon: source, color: tintColor } = MARKS[row.kind]
  const icon: Image = { source, tintColor }
  const price = row.price === undefined ? [] : [{ text: row.price }]
  return (
    <List.Item
      title={row.title}
      icon={icon}
      keywords={[name]}
      accessories={[...price, { tag: { value: row.status, color: tintColor }, tooltip: row.tooltip }]}
      actions={<Actions row={row} />}
    />
  )
}

function Actions({ row: { title, register, page } }: { row: Row }) {
  return (
    <ActionPanel>
      <Action.CopyToClipboard title="Copy" content={title} icon={Icon.Clipboard} />
      {register?.sold.map((link) => (
        <Action.OpenInBrowser key={link.url} title={link.title} url={link.url} icon={Icon.Globe} />
      ))}
      {register !== undefined && (
        <ActionPanel.Submenu title="Search at a Registrar" icon={Icon.MagnifyingGlass}>
          {register.searches.map((link) => (
            <Action.OpenInBrowser key={link.url} title={link.title} url={link.url} icon={Icon.Globe} />
          ))}
        </ActionPanel.Submenu>
      )}
      {page !== undefined && <Action.OpenInBrowser title="Open Page" url={page} icon={Icon.Globe} />}
    </ActionPanel>
  )
}

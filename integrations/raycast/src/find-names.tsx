/** “Find Names”: a form, and then the list. Names cost quota, so nothing is sent while somebody types. */
import { Action, ActionPanel, Form, Icon, useNavigation } from '@raycast/api'
import { useState } from 'react'
import { COUNTS, findOf } from './ask.ts'
import { Results } from './results.tsx'

interface Values {
  readonly description: string
  readonly count: string
}

export default function FindNames() {
  const { push } = useNavigation()
  const [isRefused, setRefused] = useState(false)

  function submit(values: Values): void {
    const question = findOf(values)
    setRefused(question === undefined)
    if (question !== undefined) push(<Results question={question} title="Names" />)
  }

  return (
    <Form
      actions={
        <ActionPanel>
          <Action.SubmitForm<Values> title="Find Names" icon={Icon.MagnifyingGlass} onSubmit={submit} />
        </ActionPanel>
      }
    >
      <Form.TextArea
        id="description"
        title="Description"
        placeholder="A bakery that delivers by bicycle"
        {...(isRefused ? { error: 'Describe the project' } : {})}
        onChange={() => setRefused(false)}
      />
      <Form.Dropdown id="count" title="Names" defaultValue="10">
        {COUNTS.map((count) => (
          <Form.Dropdown.Item key={String(count)} title={String(count)} value={String(count)} />
        ))}
      </Form.Dropdown>
    </Form>
  )
}

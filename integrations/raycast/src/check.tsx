/** “Check Domain or Name”: what has a dot is a domain, anything else a name. */
import type { LaunchProps } from '@raycast/api'
import { useState } from 'react'
import type { Question } from './ask.ts'
import { Results } from './results.tsx'

export default function Check({ arguments: { query } }: LaunchProps<{ arguments: { readonly query: string } }>) {
  // One object for all renders: a new one would be a new question.
  const [question] = useState<Question>({ kind: 'check', query })
  return <Results question={question} title={query} />
}

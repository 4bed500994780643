/**
 * Removing viewings from one's history, with eight seconds to undo it. The server keeps no way back, so it is asked only after them, or when
 * the page is left.
 */
import { signal } from '@preact/signals-core'
import { api, answerOf } from '../api/client.ts'
import type { Problem } from '../api/problems.ts'
import { queryClient } from './query-client.ts'

/** Viewings that lists leave out. */
export const hiddenViewings = signal<ReadonlySet<string>>(new Set())

export const UNDO_MS = 8000
const waiting = new Map<string, ReturnType<typeof setTimeout>>()
let isListening = false

/** Hides it at once. Gives what undoes it, until the server has been asked. */
export function hideViewing(id: string, onRefused: (problem: Problem) => void): () => void {
  hiddenViewings.value = new Set([...hiddenViewings.value, id])
  waiting.set(
    id,
    setTimeout(() => void send(id, onRefused), UNDO_MS),
  )
  if (!isListening) addEventListener('pagehide', sendAll)
  isListening = true
  return () => {
    clearTimeout(waiting.get(id))
    if (waiting.delete(id)) show(id)
  }
}

function show(id: string): void {
  hiddenViewings.value = new Set([...hiddenViewings.value].filter((one) => one !== id))
}

async function send(id: string, onRefused: (problem: Problem) => void): Promise<void> {
  if (!waiting.delete(id)) return
  const answer = await answerOf(api.DELETE('/v1/history/{id}', { params: { path: { id } } }))
  if (!answer.ok && answer.problem.status !== 404) {
    show(id)
    return onRefused(answer.problem)
  }
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['history'] }), queryClient.invalidateQueries({ queryKey: ['stats'] })])
}

/** The page goes away: the requests outlive it. */
function sendAll(): void {
  for (const [id, timer] of waiting) {
    clearTimeout(timer)
    void fetch(`/v1/history/${id}`, { method: 'DELETE', keepalive: true })
  }
  waiting.clear()
}

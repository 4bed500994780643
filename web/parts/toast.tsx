/** Short notes at the bottom, read out politely; some can be undone for eight seconds, also with the key Z. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Answer } from '../api/problems.ts'
import { say } from '../words/words.ts'

export interface Toast {
  readonly text: string
  readonly undo?: () => void
}

interface Shown extends Toast {
  readonly id: number
}

const SHOWN_MS = 8000
const MOST = 3

const shown = signal<readonly Shown[]>([])
let last = 0

/** Returns a function that takes the note back. */
export function toast(note: Toast): () => void {
  last += 1
  const id = last
  shown.value = [...shown.value, { ...note, id }].slice(-MOST)
  setTimeout(() => dismiss(id), SHOWN_MS)
  return () => dismiss(id)
}

/**
 * Shows why a write was refused, if it was.
 *
 * @param mayBeGone what it was about may have ended by itself
 */
export async function tellRefusal(asked: Promise<Answer<unknown>>, mayBeGone = false): Promise<void> {
  const answer = await asked
  if (!answer.ok && !(mayBeGone && answer.problem.status === 404)) toast({ text: say('mark.refused', { reason: answer.problem.message }) })
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((each) => each.id !== id)
}

function undo({ id, undo }: Shown): void {
  dismiss(id)
  undo?.()
}

/** Undoes the newest note that can be undone. Gives whether there was one. */
export function undoLast(): boolean {
  const note = [...shown.value].reverse().find(({ undo }) => undo !== undefined)
  if (note) undo(note)
  return note !== undefined
}

export function Toasts() {
  useEffect(() => () => void (shown.value = []), [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((note) => (
        <div class="toast" key={note.id}>
          <span>{note.text}</span>
          {note.undo && (
            <button type="button" class="quiet" onClick={() => undo(note)}>
              {say('app.undo')}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}

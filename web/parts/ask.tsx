/** A dialog that asks before something is done: what will happen, fields if any, and a button that names the action. */
import type { ComponentChildren } from 'preact'
import type { Answer } from '../api/problems.ts'
import { say } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { useForm, type FormState } from './form.ts'

export interface AskProps {
  readonly title: string
  /** Text of the button. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly text?: string
  readonly send: (values: Readonly<Record<string, string>>) => Promise<Answer<unknown>>
  readonly onClose: () => void
  /** After it was done, before it closes. */
  readonly onDone?: () => void
  readonly children?: (wrongWith: FormState['wrongWith']) => ComponentChildren
}

export function Ask({ title, action, isDangerous = false, text, send, onClose, onDone, children }: AskProps) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async (values) => {
    const answer = await send(values)
    if (answer.ok) {
      onDone?.()
      onClose()
    }
    return answer
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {text !== undefined && <p>{text}</p>}
        {children?.(wrongWith)}
        <Wrong problem={problem} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            {say('app.cancel')}
          </button>
          <button class={isDangerous ? 'danger' : 'primary'} disabled={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What is wrong with a form as a whole. What is wrong with a field is beside the field. */
export function Wrong({ problem }: Pick<FormState, 'problem'>) {
  if (!problem) return null
  return (
    <p class="wrong" role="alert">
      {problem.message}
    </p>
  )
}

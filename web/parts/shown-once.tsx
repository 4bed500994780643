/** Shows a secret that the server does not show again. */
import { useState } from 'preact/hooks'
import { say } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

export interface ShownOnceProps {
  readonly title: string
  readonly label: string
  readonly secret: string
  /** What it is for. */
  readonly hint: string
  readonly onClose: () => void
}

/** Whoever closes it has seen it for the last time. */
export function ShownOnce({ title, label, secret, hint, onClose }: ShownOnceProps) {
  const [isSeen, setSeen] = useState(false)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
        }}
      >
        <Field label={label} name="shown" readOnly value={secret} hint={hint} onFocus={({ currentTarget }) => currentTarget.select()} />
        <label class="check">
          <input type="checkbox" checked={isSeen} onChange={({ currentTarget: { checked } }) => setSeen(checked)} />
          {say('app.secret.kept')}
        </label>
        <div class="actions">
          <button class="primary" disabled={!isSeen}>
            {say('app.close')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

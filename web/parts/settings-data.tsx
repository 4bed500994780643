/** The person's data: taking it along, and erasing it. */
import { useEffect, useRef } from 'preact/hooks'
import { eraseMe } from '../data/account.ts'
import { openLayer } from '../router.ts'
import { say } from '../words/words.ts'
import { Field } from './field.tsx'
import { useForm } from './form.ts'

export function DataSettings() {
  return (
    <>
      <p>{say('settings.export.hint')}</p>
      <p>
        <a class="button" href="/v1/users/me/export" download="marquee-export.ndjson">
          {say('settings.export')}
        </a>
      </p>
      <h3>{say('settings.erase')}</h3>
      <p>{say('settings.erase.hint')}</p>
      <Erase />
    </>
  )
}

function Erase() {
  const dialog = useRef<HTMLDialogElement>(null)
  const layer = useRef<() => void>()
  useEffect(() => () => layer.current?.(), [])
  const open = (): void => {
    dialog.current?.showModal()
    layer.current = openLayer(() => dialog.current?.close())
  }
  const { form, submit, isBusy, problem, wrongWith } = useForm(({ password = '' }) => eraseMe(password))
  return (
    <>
      <button type="button" class="danger" onClick={open}>
        {say('settings.erase.begin')}
      </button>
      <dialog ref={dialog} aria-labelledby="erase-title" onClose={() => layer.current?.()}>
        <form class="form" ref={form} onSubmit={submit}>
          <h2 id="erase-title">{say('settings.erase.sure')}</h2>
          <p>{say('settings.erase.hint')}</p>
          <Field
            label={say('sign-in.password')}
            name="password"
            type="password"
            autocomplete="current-password"
            required
            wrong={wrongWith('password')}
          />
          {problem && (
            <p class="wrong" role="alert">
              {problem.message}
            </p>
          )}
          <div class="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              {say('app.cancel')}
            </button>
            <button class="danger" disabled={isBusy}>
              {say('settings.erase')}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

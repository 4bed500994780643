/** Forms: what the server says of a field lands beside the field, and the focus goes to the first one that is wrong. */
import { useRef, useState } from 'preact/hooks'
import type { Answer, Problem } from '../api/problems.ts'

export interface FormState {
  readonly isBusy: boolean
  /** Undefined, too, if a field is wrong, which is said beside the field. */
  readonly problem: Problem | undefined
  /** For `<form>`. */
  readonly form: { readonly current: HTMLFormElement | null }
  /** Sends, and keeps the problem if there is one. */
  submit(event: Event): void
  wrongWith(field: string): string | undefined
}

/** `send` gets the values by the names of the fields. A field that is empty is an empty text. */
export function useForm(send: (values: Readonly<Record<string, string>>) => Promise<Answer<unknown>>): FormState {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [isBeside, setBeside] = useState(false)

  async function run(): Promise<void> {
    if (!form.current || isBusy) return
    setBusy(true)
    const values = Object.fromEntries(
      [...new FormData(form.current)].map(([name, value]) => [name, typeof value === 'string' ? value : '']),
    )
    const answer = await send(values)
    setBusy(false)
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) settle(form.current)
    setBeside(!answer.ok && focusFirst(form.current, answer.problem))
  }

  return {
    isBusy,
    problem: isBeside ? undefined : problem,
    form,
    submit(event) {
      event.preventDefault()
      void run()
    },
    wrongWith: (field) => problem?.fields[field],
  }
}

/** What was sent is the fields' own content from here on, until others change it. Passwords do not stay in the page. */
function settle(form: HTMLFormElement | null): void {
  for (const field of form?.elements ?? []) {
    if (field instanceof HTMLInputElement && field.type !== 'password') {
      field.defaultValue = field.value
      field.defaultChecked = field.checked
    } else if (field instanceof HTMLSelectElement) for (const option of field.options) option.defaultSelected = option.selected
  }
  form?.reset()
}

/** False: no field is wrong. */
function focusFirst(form: HTMLFormElement | null, { fields }: Problem): boolean {
  const inputs = [...(form?.elements ?? [])].filter((element) => element instanceof HTMLInputElement)
  const wrong = inputs.find(({ name }) => fields[name] !== undefined)
  wrong?.focus()
  return wrong !== undefined
}

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
    // What was sent is saved; passwords do not stay in the page.
    if (answer.ok) for (const input of form.current?.querySelectorAll<HTMLInputElement>('input[type=password]') ?? []) input.value = ''
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

/** False: no field is wrong. */
function focusFirst(form: HTMLFormElement | null, { fields }: Problem): boolean {
  const inputs = [...(form?.elements ?? [])].filter((element) => element instanceof HTMLInputElement)
  const wrong = inputs.find(({ name }) => fields[name] !== undefined)
  wrong?.focus()
  return wrong !== undefined
}

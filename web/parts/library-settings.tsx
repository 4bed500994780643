/** Name, language and settings of a library. */
import { changeLibrary, type Library } from '../data/admin-libraries.ts'
import { languageName } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Wrong } from './ask.tsx'
import { Field } from './field.tsx'
import { useForm } from './form.ts'
import { toast } from './toast.tsx'

/** Languages in which titles and plots are looked up. */
const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pl',
  'pt',
  'sv',
  'da',
  'no',
  'fi',
  'cs',
  'hu',
  'tr',
  'ru',
  'uk',
  'ja',
  'ko',
  'zh',
] as const
const INTERVALS = [0, 60, 360, 720, 1440, 10_080] as const

export function LibrarySettings({ library: { id, name, language, settings } }: { readonly library: Library }) {
  const { form, submit, isBusy, problem, wrongWith } = useForm(async (values) => {
    const answer = await changeLibrary(id, {
      name: values['name'] ?? '',
      language: values['language'] ?? language,
      settings: {
        watchFiles: values['watchFiles'] !== undefined,
        trickplay: values['trickplay'] !== undefined,
        publicImages: values['publicImages'] !== undefined,
        scanIntervalMinutes: Number(values['scanIntervalMinutes'] ?? 0),
      },
    })
    if (answer.ok) toast({ text: say('app.saved') })
    return answer
  })
  const languages: readonly string[] = LANGUAGES.some((tag) => tag === language) ? LANGUAGES : [language, ...LANGUAGES]
  const interval = settings.scanIntervalMinutes
  const intervals: readonly number[] = INTERVALS.some((minutes) => minutes === interval) ? INTERVALS : [interval, ...INTERVALS]
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Field label={say('library.name')} name="name" defaultValue={name} required autocomplete="off" wrong={wrongWith('name')} />
      <label class="field">
        <span>{say('library.language')}</span>
        <select name="language">
          {languages.map((tag) => (
            <option key={tag} value={tag} selected={tag === language}>
              {languageName(tag)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{say('library.interval')}</span>
        <select name="scanIntervalMinutes">
          {intervals.map((minutes) => (
            <option key={minutes} value={String(minutes)} selected={minutes === interval}>
              {minutes === 0 ? say('library.interval.never') : say('library.interval.every', { minutes })}
            </option>
          ))}
        </select>
      </label>
      <Check name="watchFiles" label={say('library.watch')} isOn={settings.watchFiles} />
      <Check name="trickplay" label={say('library.trickplay')} isOn={settings.trickplay} />
      <Check name="publicImages" label={say('library.public-images')} isOn={settings.publicImages} />
      <Wrong problem={problem} />
      <button class="primary" disabled={isBusy}>
        {say('app.save')}
      </button>
    </form>
  )
}

const Check = ({ name, label, isOn }: { readonly name: string; readonly label: string; readonly isOn: boolean }) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={isOn} />
    {label}
  </label>
)

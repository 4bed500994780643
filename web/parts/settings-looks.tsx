/** How the client looks and speaks, and which audio and subtitles films begin with. */
import type { ReadonlySignal } from '@preact/signals-core'
import { useQuery } from '@tanstack/preact-query'
import {
  changePreferences,
  chooseLetterKeys,
  chooseTheme,
  letterKeys,
  preferencesQuery,
  theme,
  THEMES,
  type Preferences,
} from '../data/preferences.ts'
import { chooseTv, tv } from '../data/tv.ts'
import { languageName } from '../words/format.ts'
import { language } from '../words/locale.ts'
import { LANGUAGES, say, speak } from '../words/words.ts'
import { Failed, Waiting } from './states.tsx'
import { toast } from './toast.tsx'

/** Languages that films commonly have; others can still be chosen while a film plays, and are remembered. */
const COMMON = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'tr',
  'uk',
  'zh',
]

async function save(changes: Preferences): Promise<void> {
  const answer = await changePreferences(changes)
  toast({ text: answer.ok ? say('app.saved') : say('mark.refused', { reason: answer.problem.message }) })
}

export function PlaybackSettings() {
  const { data, error, refetch } = useQuery(preferencesQuery)
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  const { audioLanguage = null, subtitleLanguage = null } = data
  return (
    <div class="form">
      <label class="field">
        <span>{say('settings.audio')}</span>
        <select value={audioLanguage ?? ''} onChange={({ currentTarget: { value } }) => void save({ audioLanguage: value || null })}>
          <option value="">{say('settings.audio.original')}</option>
          <Languages chosen={audioLanguage} />
        </select>
      </label>
      <label class="field">
        <span>{say('settings.subtitles')}</span>
        <select value={subtitleLanguage ?? ''} onChange={({ currentTarget: { value } }) => void save({ subtitleLanguage: value || null })}>
          <option value="">{say('settings.subtitles.movie')}</option>
          <option value="off">{say('settings.subtitles.off')}</option>
          <Languages chosen={subtitleLanguage === 'off' ? null : subtitleLanguage} />
        </select>
      </label>
      <p class="soft">{say('settings.playback.hint')}</p>
    </div>
  )
}

function Languages({ chosen }: { readonly chosen: string | null }) {
  const tags = chosen === null || COMMON.includes(chosen) ? COMMON : [chosen, ...COMMON]
  return (
    <>
      {tags.map((tag) => (
        <option key={tag} value={tag}>
          {languageName(tag)}
        </option>
      ))}
    </>
  )
}

export function LookSettings() {
  return (
    <div class="form">
      <fieldset class="choices">
        <legend>{say('settings.theme')}</legend>
        {THEMES.map((name) => (
          <label class="check" key={name}>
            <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
            {say(`settings.theme.${name}`)}
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{say('settings.language')}</span>
        <select
          value={language.value}
          onChange={({ currentTarget: { value } }) => {
            void speak(value)
            void save({ language: value })
          }}
        >
          {LANGUAGES.map((tag) => (
            <option key={tag} value={tag} lang={tag}>
              {new Intl.DisplayNames([tag], { type: 'language' }).of(tag)}
            </option>
          ))}
        </select>
      </label>
      <Check name="tv" of={tv} label={say('settings.tv')} hint={say('settings.tv.hint')} onChoose={chooseTv} />
      <Check
        name="letter-keys"
        of={letterKeys}
        label={say('settings.letters')}
        hint={say('settings.letters.hint')}
        onChoose={chooseLetterKeys}
      />
    </div>
  )
}

interface CheckProps {
  readonly name: string
  readonly of: ReadonlySignal<boolean>
  readonly label: string
  readonly hint: string
  readonly onChoose: (isOn: boolean) => void
}

function Check({ name, of, label, hint, onChoose }: CheckProps) {
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={of.value}
          aria-describedby={`${name}-hint`}
          onChange={({ currentTarget: { checked } }) => onChoose(checked)}
        />
        {label}
      </label>
      <p class="soft" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  )
}

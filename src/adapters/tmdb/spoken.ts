/** Languages as the provider is asked for them: a language and, where it says one, a region (`de`, `pt-BR`). */
import { languageTag } from '../../vocabulary/language.ts'

export interface Spoken {
  /** `pt-BR` */
  readonly tag: string
  /** `pt` */
  readonly primary: string
  /** Where it is spoken most, if the tag does not say: `DE` for `de`. */
  readonly region: string | undefined
}

/** The provider's own codes, where they are not those of the standard. */
const PROVIDERS_OWN: Readonly<Record<string, string>> = { cn: 'yue' }

/** English for what is no language. */
export function spokenIn(text: string): Spoken {
  const locale = new Intl.Locale(languageTag(text) ?? 'en')
  const likely = locale.maximize().region
  // It knows countries only: neither scripts, which follow from where they are written, nor parts of the world.
  const region = [locale.region, locale.script ? likely : undefined].find((one) => /^[A-Z]{2}$/.test(one ?? ''))
  return { tag: region ? `${locale.language}-${region}` : locale.language, primary: locale.language, region: region ?? likely }
}

/** BCP 47 of a code of the provider. */
export const tagOf = (code: string): string | null => languageTag(PROVIDERS_OWN[code] ?? code)

/** Languages in the provider's form: a language and, if stated, a region (`de`, `pt-BR`). */
import { languageTag } from '../../vocabulary/language.ts'

export interface Spoken {
  /** `pt-BR` */
  readonly tag: string
  /** `pt` */
  readonly primary: string
  /** The region with most speakers, if the tag has none: `DE` for `de`. */
  readonly region: string | undefined
}

/** The provider's own codes that differ from the standard. */
const PROVIDERS_OWN: Readonly<Record<string, string>> = { cn: 'yue' }

/** English if the text is not a language. */
export function spokenIn(text: string): Spoken {
  const locale = new Intl.Locale(languageTag(text) ?? 'en')
  const likely = locale.maximize().region
  // It knows countries only: neither scripts, which are mapped to their region, nor parts of the world.
  const region = [locale.region, locale.script ? likely : undefined].find((one) => /^[A-Z]{2}$/.test(one ?? ''))
  return { tag: region ? `${locale.language}-${region}` : locale.language, primary: locale.language, region: region ?? likely }
}

/** BCP 47 tag of a provider's code. */
export const tagOf = (code: string): string | null => languageTag(PROVIDERS_OWN[code] ?? code)

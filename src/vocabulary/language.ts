/**
 * Languages as this server names them: BCP 47 in its shortest form (`de`, `pt-BR`), whatever a file calls them (`ger`, `deu`, `pt_BR`).
 */
/** Made when it is first needed: that takes 10 to 20 ms, which a start need not. */
let names: Intl.DisplayNames | undefined
/** Undetermined, uncoded, multiple, none: they name no language. */
const NOTHING: ReadonlySet<string> = new Set(['und', 'mis', 'mul', 'zxx', 'root'])

/** Far longer than any tag. */
const MOST_CHARACTERS = 200

/** The tag of a language code; null if the text names no known language. */
export function languageTag(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const [primary = '', tag = ''] = canonical(text.trim().replaceAll('_', '-'))
  return tag === '' || NOTHING.has(primary) || !isKnown(primary) ? null : tag
}

function isKnown(primary: string): boolean {
  names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  return names.of(primary) !== undefined
}

/** The primary subtag and the whole tag; empty for a text of another shape. */
function canonical(text: string): readonly string[] {
  try {
    const tag = Intl.getCanonicalLocales(text)[0] ?? ''
    return [tag.split('-', 1)[0] ?? '', tag]
  } catch {
    return []
  }
}

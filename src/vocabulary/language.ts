/**
 * Languages as this server names them: BCP 47 in its shortest form (`de`, `pt-BR`), whatever a file calls them (`ger`, `deu`,
 * `pt_BR`).
 */
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
/** Undetermined, uncoded, several, none: they say nothing. */
const NOTHING: ReadonlySet<string> = new Set(['und', 'mis', 'mul', 'zxx', 'root'])

/** Far more than any tag has. */
const MOST_CHARACTERS = 200

/** The tag of a language code; null where the text names no language that is known. */
export function languageTag(text: string): string | null {
  if (text.length > MOST_CHARACTERS) return null
  const [primary = '', tag = ''] = canonical(text.trim().replaceAll('_', '-'))
  return tag === '' || NOTHING.has(primary) || names.of(primary) === undefined ? null : tag
}

/** The primary subtag and the whole tag; nothing for a text of another shape. */
function canonical(text: string): readonly string[] {
  try {
    const tag = Intl.getCanonicalLocales(text)[0] ?? ''
    return [tag.split('-', 1)[0] ?? '', tag]
  } catch {
    return []
  }
}

/** Converts the markup of subtitles to WebVTT cue text: tags of WebVTT stay, all other text is escaped. */

/** Short parts between `<` and `>`. */
const TAG = /(<[^<>]{1,200}>)/
const WEBVTT_TAG = /^<(?:\/?(?:c|v|i|b|u|ruby|rt|lang)(?:[.\s][^<>]*)?|\d{2,}:\d{2}(?::\d{2})?\.\d{3})>$/
/** Styling without a WebVTT tag. */
const DROPPED_TAG = /^<\/?(?:font|span|div|p|s|strike|small|big|center|em|strong|c|v|ruby|rt|lang)(?:[\s.][^<>]*)?\/?>$/i
const ENTITY = /&(?!(?:amp|lt|gt|nbsp|lrm|rlm|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi

/** SubRip: `<i>`, `<b>`, `<u>` stay; fonts and `{\an8}` are removed; the rest is text. */
export function subRipMarkup(text: string): string {
  return withTags(text.replace(/\{\\[^{}]{0,200}\}/g, ''), (tag) => {
    const simple = /^<(\/?)([ibu])\s*>$/i.exec(tag)
    if (simple) return `<${simple[1] ?? ''}${(simple[2] ?? '').toLowerCase()}>`
    if (/^<br\s*\/?>$/i.test(tag)) return '\n'
    return DROPPED_TAG.test(tag) ? '' : undefined
  })
}

/** WebVTT: its own tags and escapes stay. */
export function webVttMarkup(text: string): string {
  return withTags(text, (tag) => (WEBVTT_TAG.test(tag) ? tag.replace(ENTITY, '&amp;') : undefined))
}

/** Setting of a cue at the top of the video, by the alignment codes of ASS, which SubRip files also use. */
export function lineAtTop(text: string): string {
  return /\{[^{}]{0,200}\\(?:an[789]|a[567](?!\d))/.test(text) ? 'line:0' : ''
}

export function escapeText(text: string): string {
  return text.replace(ENTITY, '&amp;').replaceAll('<', '&lt;').replaceAll('-->', '--&gt;')
}

/** Escapes the text between tags, and the tags for which `keep` returns nothing. */
function withTags(text: string, keep: (tag: string) => string | undefined): string {
  return text
    .split(TAG)
    .map((piece, index) => (index % 2 === 1 ? keep(piece) : undefined) ?? escapeText(piece))
    .join('')
    .replaceAll('-->', '--&gt;')
}

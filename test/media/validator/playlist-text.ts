/** Parses HLS playlists, independently of the code that writes ours (RFC 8216, section 4). */
export type Attributes = ReadonlyMap<string, string>

export interface Tag {
  readonly name: string
  readonly value: string
}

export interface Variant {
  readonly attributes: Attributes
  readonly uri: string
}

export interface MasterText {
  readonly text: string
  readonly tags: readonly Tag[]
  readonly media: readonly Attributes[]
  readonly iframes: readonly Attributes[]
  readonly variants: readonly Variant[]
}

export interface SegmentLine {
  readonly seconds: number
  readonly uri: string
}

export interface MediaText {
  readonly text: string
  readonly tags: readonly Tag[]
  readonly map: Attributes | undefined
  readonly segments: readonly SegmentLine[]
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter(Boolean)

export function tagsOf(text: string): readonly Tag[] {
  return linesOf(text)
    .filter((line) => line.startsWith('#EXT'))
    .map((line) => {
      const [name = '', ...rest] = line.slice(1).split(':')
      return { name, value: rest.join(':') }
    })
}

/** The URI line after each tag of a name. */
function withUris(text: string, name: string): readonly { readonly value: string; readonly uri: string }[] {
  const lines = linesOf(text)
  return lines.flatMap((line, index) => {
    if (!line.startsWith(`#${name}:`)) return []
    const uri = lines.slice(index + 1).find((other) => !other.startsWith('#EXT-X-BYTERANGE') && !other.startsWith('#EXT-X-DISCONTINUITY'))
    return [{ value: line.slice(name.length + 2), uri: uri ?? '' }]
  })
}

/** @throws Error an attribute list that violates section 4.2 */
export function attributesOf(list: string): Attributes {
  const found = new Map<string, string>()
  const pattern = /([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(?:,|$)/y
  while (pattern.lastIndex < list.length) {
    const at = pattern.lastIndex
    const match = pattern.exec(list)
    if (!match) throw new Error(`No attribute at ${at} of ${list}`)
    const [, name = '', value = ''] = match
    if (found.has(name)) throw new Error(`${name} twice in ${list}`)
    found.set(name, value)
  }
  return found
}

/** A quoted string's text; undefined if it is missing or not quoted. */
export function quotedIn(attributes: Attributes, name: string): string | undefined {
  return /^"(.*)"$/.exec(attributes.get(name) ?? '')?.[1]
}

export function valueOf({ tags }: { readonly tags: readonly Tag[] }, name: string): string | undefined {
  return tags.find((tag) => tag.name === name)?.value
}

export function masterText(text: string): MasterText {
  const tags = tagsOf(text)
  return {
    text,
    tags,
    media: tags.filter((tag) => tag.name === 'EXT-X-MEDIA').map(({ value }) => attributesOf(value)),
    iframes: tags.filter((tag) => tag.name === 'EXT-X-I-FRAME-STREAM-INF').map(({ value }) => attributesOf(value)),
    variants: withUris(text, 'EXT-X-STREAM-INF').map(({ value, uri }) => ({ attributes: attributesOf(value), uri })),
  }
}

export function mediaText(text: string): MediaText {
  const tags = tagsOf(text)
  const map = tags.find(({ name }) => name === 'EXT-X-MAP')
  return {
    text,
    tags,
    map: map && attributesOf(map.value),
    segments: withUris(text, 'EXTINF').map(({ value, uri }) => ({ seconds: Number(value.split(',')[0]), uri })),
  }
}

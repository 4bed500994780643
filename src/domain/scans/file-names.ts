/** Recognizes film files by name, and compares file names. */
const VIDEO: ReadonlySet<string> = new Set(
  'mkv mk3d mp4 m4v mov webm avi divx mpg mpeg m2v ts m2ts mts vob ogv ogm wmv asf flv f4v 3gp 3g2 rm rmvb mxf dv wtv nut'.split(' '),
)

/** The extension in lower case, without its dot; empty if there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : ''
}

export function isVideo(name: string): boolean {
  return VIDEO.has(extensionOf(name))
}

/** The name without the extension of a video file. */
export function stemOf(name: string): string {
  return isVideo(name) ? name.slice(0, name.lastIndexOf('.')) : name
}

/** Names with equal keys look the same to people: some systems decompose accents, some fold case. */
export function fileKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The rest of a name after the stem; undefined unless the name starts with the stem as a whole word. */
export function restAfter(name: string, stem: string): string | undefined {
  const composed = name.normalize('NFC')
  const { length } = stem.normalize('NFC')
  const rest = composed.slice(length)
  return fileKey(composed.slice(0, length)) === fileKey(stem) && !/^[\p{L}\p{N}]/u.test(rest) ? rest : undefined
}

/** The longest of the stems, given by their keys, that a name starts with. */
export function longestStem(name: string, stemKeys: ReadonlySet<string>): string | undefined {
  const composed = name.normalize('NFC')
  for (let length = composed.length; length > 0; length--) {
    const stem = composed.slice(0, length)
    if (stemKeys.has(fileKey(stem)) && restAfter(composed, stem) !== undefined) return fileKey(stem)
  }
  return undefined
}

/** Recognizes the words that releases append to a title: resolution, source, codec, edition. */

/** Never part of a title: everything from the first one on is cut. */
const TECHNICAL = new RegExp(
  `^(?:${[
    '(?:240|360|480|540|576|720|1080|1440|2160|4320)[pi]',
    '\\d{3,4}x\\d{3,4}',
    '[48]k|uhd',
    '[xh]26[456]',
    'hevc|avc|xvid|divx|av1|vp9|vc-?1',
    'web-?dl|web-?rip|blu-?ray|b[dr]-?rip|bd-?remux|dvd-?rip|dvd-?scr|dvd[59r]|hd-?tv|hd-?rip|hd-?dvd|hd-?cam|pdtv|vhs-?rip|remux|telesync',
    '(?:8|10|12)-?bit|hdr10(?:\\+|plus)?|uhd-?bd',
    'aac(?:\\d[.\\d]*)?|e?-?ac-?3|dts(?:-?hd)?(?:-?ma)?|ddp?\\d[.\\d]*|flac|truehd|atmos',
    '(?:cd|disc|disk)-?\\d{1,2}',
  ].join('|')})(?:-[\\p{L}\\p{N}]+)?$`,
  'iu',
)
/** May be words of a title (`Charlotte's Web`): they are tags only directly before a technical one. */
const SOURCE = /^(?:web|dvd|bluray|hdr|sdr|dv|dovi|hd|ntsc|pal|amzn|nf|dsnp|hmax|itunes|multi|dual|dubbed|subbed)$/i
/** Also tags directly before a year. */
const EDITION = /^(?:extended|unrated|uncut|remastered|restored|proper|repack|rerip|limited|internal|imax|criterion|theatrical)$/i
/** Together with tags, they name a version of a film (`The Final Cut`, `25th Anniversary Edition`). */
const VERSION =
  /^(?:the|cut|edit|edition|version|fan|directors?|final|special|ultimate|collectors?|definitive|deluxe|complete|full|long|short|original|international|\d+th|anniversary|roadshow|workprint|redux|uncensored|colou?ri[sz]ed|hybrid|open|matte|3d|h?sbs|h?ou)$/i

/** Whether a word of a file's name may tell a version of a film from the others. */
export const isVersionWord = (word: string): boolean => [TECHNICAL, SOURCE, EDITION, VERSION].some((words) => words.test(word))

/** Index of the first word that can only be a tag; a title has at least one word before it. */
export function firstTag(words: readonly string[]): number | undefined {
  const at = words.findIndex((word, index) => index > 0 && TECHNICAL.test(withoutBrackets(word)))
  return at < 0 ? undefined : at
}

/** Where the title ends if a year or a technical tag is at `end`. */
export function titleEnd(words: readonly string[], end: number): number {
  const bare = words.map(withoutBrackets)
  const beforeTag = TECHNICAL.test(bare[end] ?? '')
  const last = bare.findLastIndex((word, index) => index < end && !EDITION.test(word) && !(beforeTag && SOURCE.test(word)))
  return Math.max(1, last + 1)
}

const withoutBrackets = (word: string): string => word.replace(/^[(（]|[)）]$/g, '')

/** Rules for the text of every playlist (RFC 8216, section 4.1 to 4.3.3). */
import { valueOf, type MediaText, type Tag } from './playlist-text.ts'
import { unless, type Rule } from './rule.ts'

interface AnyPlaylist {
  readonly text: string
  readonly tags: readonly Tag[]
}

const ONCE = [
  'EXTM3U',
  'EXT-X-VERSION',
  'EXT-X-TARGETDURATION',
  'EXT-X-MEDIA-SEQUENCE',
  'EXT-X-PLAYLIST-TYPE',
  'EXT-X-ENDLIST',
  'EXT-X-MAP',
]

export const TEXT_RULES: readonly Rule<AnyPlaylist>[] = [
  {
    source: 'RFC 8216, 4.3.1.1',
    says: 'the first line is #EXTM3U, without a byte order mark',
    check: ({ text }) => unless(text.startsWith('#EXTM3U\n'), JSON.stringify(text.slice(0, 12))),
  },
  {
    source: 'RFC 8216, 4.1',
    says: 'no control characters but line ends, and every line ends',
    // eslint-disable-next-line no-control-regex
    check: ({ text }) => unless(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text) && text.endsWith('\n'), 'a control character'),
  },
  {
    source: 'RFC 8216, 4.3.1.2',
    says: 'one EXT-X-VERSION; fragmented MP4 is asked for as 7',
    check: (playlist) => unless(valueOf(playlist, 'EXT-X-VERSION') === '7', `version ${valueOf(playlist, 'EXT-X-VERSION')}`),
  },
  {
    source: 'RFC 8216, 4.3.3',
    says: 'such tags stand once at most',
    check: ({ tags }) => ONCE.filter((name) => tags.filter((tag) => tag.name === name).length > 1),
  },
]

export const MEDIA_TEXT_RULES: readonly Rule<MediaText>[] = [
  {
    source: 'RFC 8216, 4.3.3.1',
    says: 'each EXTINF, rounded to an integer, is at most TARGETDURATION',
    check: (playlist) => {
      const target = Number(valueOf(playlist, 'EXT-X-TARGETDURATION'))
      const long = playlist.segments.filter(({ seconds }) => !(Math.round(seconds) <= target))
      return [
        ...unless(Number.isInteger(target) && target > 0, `target ${target}`),
        ...long.map(({ seconds }) => `${seconds} of ${target}`),
      ]
    },
  },
  {
    source: 'Apple 7.7',
    says: 'no segment is longer than the target by more than half a second',
    check: (playlist) => {
      const target = Number(valueOf(playlist, 'EXT-X-TARGETDURATION'))
      return playlist.segments.filter(({ seconds }) => seconds > target + 0.5).map(({ seconds }) => `${seconds} of ${target}`)
    },
  },
  {
    source: 'RFC 8216, 4.3.2.1',
    says: 'EXTINF is a duration above zero, decimal, with a URI after it',
    check: ({ segments }) =>
      segments.filter(({ seconds, uri }) => !(seconds > 0) || uri.startsWith('#') || uri === '').map(({ uri }) => uri),
  },
  {
    source: 'Apple 8.6',
    says: 'a film is PLAYLIST-TYPE:VOD',
    check: (playlist) => unless(valueOf(playlist, 'EXT-X-PLAYLIST-TYPE') === 'VOD', `${valueOf(playlist, 'EXT-X-PLAYLIST-TYPE')}`),
  },
  {
    source: 'RFC 8216, 4.3.3.4',
    says: 'nothing more will come: EXT-X-ENDLIST, at the end',
    check: ({ text }) => unless(text.endsWith('\n#EXT-X-ENDLIST\n'), text.slice(-30)),
  },
  {
    source: 'RFC 8216, 4.3.3.2',
    says: 'EXT-X-MEDIA-SEQUENCE stands before the first segment; ours are counted from 0',
    check: ({ text, tags }) =>
      unless(
        valueOf({ tags }, 'EXT-X-MEDIA-SEQUENCE') === '0' && text.indexOf('MEDIA-SEQUENCE') < text.indexOf('#EXTINF'),
        'not 0, or late',
      ),
  },
  {
    source: 'Marquee',
    says: 'each segment has a URI of its own',
    check: ({ segments }) => unless(new Set(segments.map(({ uri }) => uri)).size === segments.length, 'a URI twice'),
  },
]

/** Video and audio, in fragmented MP4. */
export const MP4_TEXT_RULES: readonly Rule<MediaText>[] = [
  {
    source: 'Apple 8.20',
    says: 'EXT-X-MAP with a quoted URI stands before the first segment',
    check: ({ text, map }) =>
      unless(/^".+"$/.test(map?.get('URI') ?? '') && text.indexOf('#EXT-X-MAP') < text.indexOf('#EXTINF'), 'no map, or late'),
  },
]

/** English words of the player. */
import { addEnglish } from './words.ts'

interface Time {
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

interface Place {
  readonly position: Time
  readonly duration: Time
  /** Its number and title. */
  readonly chapter: { readonly number: number; readonly title: string | null } | undefined
}

const plurals = new Intl.PluralRules('en')
const count = (n: number, one: string): string => `${n} ${plurals.select(n) === 'one' ? one : `${one}s`}`

function spoken({ hours, minutes, seconds }: Time): string {
  if (hours > 0) return `${count(hours, 'hour')} ${minutes}`
  return minutes > 0 ? `${count(minutes, 'minute')} ${seconds}` : count(seconds, 'second')
}

export const playerEn = {
  'player.name': 'Player',
  'player.play': 'Play',
  'player.pause': 'Pause',
  'player.back': 'Back',
  'player.forward': 'Forward 10 seconds',
  'player.rewind': 'Back 10 seconds',
  'player.mute': 'Mute',
  'player.unmute': 'Sound on',
  'player.muted': 'Muted',
  'player.unmuted': 'Sound on',
  'player.volume': 'Volume',
  'player.volume.at': ({ percent }: { readonly percent: number }) => `Volume ${percent}%`,
  'player.fullscreen': 'Full screen',
  'player.fullscreen.leave': 'Leave full screen',
  'player.picture': 'Picture in picture',
  'player.next': ({ title }: { readonly title: string }) => `Next: ${title}`,
  'player.settings': 'Settings',
  'player.position': 'Position',
  'player.place': ({ position, duration, chapter }: Place) =>
    `${spoken(position)} of ${spoken(duration)}${chapter ? `, chapter ${chapter.number}${chapter.title === null ? '' : `: ${chapter.title}`}` : ''}`,
  'player.chapter': ({ number }: { readonly number: number }) => `Chapter ${number}`,
  'player.left': ({ time }: { readonly time: string }) => `${time} left`,
  'player.time.switch': 'Show elapsed or remaining time',
  'player.loading': 'Loading',

  'player.subtitles': 'Subtitles',
  'player.subtitles.off': 'Subtitles off',
  'player.subtitles.none': 'This film has no subtitles',
  'player.subtitles.forced': 'Foreign speech only',
  'player.subtitles.burnt': 'Drawn into the picture',
  'player.subtitles.failed': 'The subtitles could not be loaded',
  'player.look': 'Look',
  'player.look.size': 'Size',
  'player.look.size.small': 'Small',
  'player.look.size.medium': 'Medium',
  'player.look.size.large': 'Large',
  'player.look.size.huge': 'Very large',
  'player.look.colour': 'Colour',
  'player.look.colour.white': 'White',
  'player.look.colour.yellow': 'Yellow',
  'player.look.colour.grey': 'Grey',
  'player.look.background': 'Background',
  'player.look.background.none': 'None',
  'player.look.background.shade': 'Shade',
  'player.look.background.black': 'Black',
  'player.look.edge': 'Edge',
  'player.look.edge.shadow': 'Shadow',
  'player.look.edge.outline': 'Outline',
  'player.look.edge.none': 'None',
  'player.look.height': 'Height',
  'player.look.height.low': 'At the bottom',
  'player.look.height.middle': 'A little higher',
  'player.look.height.high': 'Higher',
  'player.look.read': 'Read out by screen readers',

  'player.sound': 'Sound',
  'player.language.unknown': 'Unknown language',
  'player.quality': 'Quality',
  'player.quality.auto': 'Auto',
  'player.quality.original': ({ height }: { readonly height: number }) => `Original, ${height}p`,
  'player.speed': 'Speed',
  'player.speed.normal': 'Normal',
  'player.version': 'Version',
  'player.keys': 'Keys',
  'player.keys.off': 'Letters, digits and signs are turned off on this device (Settings, Appearance).',

  'player.why': 'Why?',
  'player.why.method': 'How it plays',
  'player.why.rejected': 'Cheaper ways',
  'player.why.shown': 'Shown now',
  'player.why.engine': 'Played by',
  'player.why.engine.file': 'Browser, from the file',
  'player.why.engine.hls': 'hls.js',
  'player.why.engine.native': 'Browser, HLS',
  'player.why.buffer': 'Buffer',
  'player.why.buffer.value': ({ seconds }: { readonly seconds: number }) => `${seconds} s`,
  'player.why.dropped': 'Dropped frames',
  'player.why.dropped.value': ({ dropped, total }: { readonly dropped: number; readonly total: number }) => `${dropped} of ${total}`,
  'player.why.network': 'Connection',
  'player.why.problem': 'Problem',

  'player.key.toggle': 'Play or pause',
  'player.key.jump': 'Back or forward 10 seconds',
  'player.key.step': 'Back or forward 5 seconds',
  'player.key.volume': 'Louder or quieter',
  'player.key.mute': 'Sound off or on',
  'player.key.subtitles': 'Subtitles on or off',
  'player.key.next-subtitle': 'Next subtitles',
  'player.key.next-sound': 'Next sound',
  'player.key.fullscreen': 'Full screen',
  'player.key.picture': 'Picture in picture',
  'player.key.share': 'To a tenth of the film',
  'player.key.frame': 'One frame back or forward',
  'player.key.speed': 'Slower or faster',
  'player.key.next': 'Next film of the collection',
  'player.key.undo': 'Undo',
  'player.key.back': 'Close, then leave',
  'player.key.help': 'This list',

  'player.message': 'Message from an administrator',
  'player.message.paused': 'An administrator has paused playback.',
  'player.stopped': 'An administrator has ended playback',
  'player.ended': 'The end',
  'player.again': 'Watch again',
  'player.play-next': 'Play next',
  'player.limit': 'Too many films are playing',
  'player.limit.hint': 'Your account cannot play any more films at once. End one of these, then try again:',
  'player.gone': 'This film is not available any more',
  'player.gone.hint': 'It may have been removed, or you no longer have access to it.',
  'player.cannot': 'This browser cannot play the film',
  'player.leave': 'Back to the film',
  'player.offline': 'The server does not answer. Trying again…',
  'player.return': 'Return to the player',
  'player.close': 'Stop playing',
} as const

addEnglish(playerEn)

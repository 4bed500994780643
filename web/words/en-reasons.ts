/** English: how a film is played, and why not in a cheaper way. */
import { addEnglish } from './words.ts'

export const reasonsEn = {
  'player.method.direct': 'The file itself',
  'player.method.remux': 'Repackaged, same picture and sound',
  'player.method.transcode-audio': 'Same picture, sound transcoded',
  'player.method.transcode': 'Transcoded',
  'player.why.reasons': 'Because',
  'player.why.none': 'Nothing cheaper is needed: the file plays as it is.',
  'player.reason.client-unknown': 'the browser said nothing about itself',
  'player.reason.no-video': 'there is no video',
  'player.reason.container': 'this kind of file does not play in the browser',
  'player.reason.video-codec': 'the browser does not decode this video',
  'player.reason.video-edited': 'the video has edits',
  'player.reason.no-index': 'the file has no index',
  'player.reason.keyframes-too-far': 'places to seek to are too far apart',
  'player.reason.video-open-groups': 'the browser cannot seek in this video',
  'player.reason.video-profile': 'the browser does not decode this profile',
  'player.reason.video-level': 'the video is more than the browser decodes',
  'player.reason.video-bit-depth': 'the browser does not decode this bit depth',
  'player.reason.video-pixel-format': 'the browser does not decode this pixel format',
  'player.reason.video-interlaced': 'the video is interlaced',
  'player.reason.video-hdr': 'the screen does not show this HDR',
  'player.reason.video-dolby-vision': 'the screen does not show Dolby Vision',
  'player.reason.client-height': 'the picture is much larger than the screen',
  'player.reason.client-bitrate': 'the bitrate is too high',
  'player.reason.audio-codec': 'the browser does not decode this sound',
  'player.reason.audio-profile': 'the browser does not decode this kind of AAC',
  'player.reason.audio-layout': 'the channels are in an unusual order',
  'player.reason.audio-edited': 'the sound has edits',
  'player.reason.audio-late': 'the sound begins late',
  'player.reason.audio-channels': 'the sound has more channels than the browser takes',
  'player.reason.audio-gain': 'the loudness is changed',
  'player.reason.subtitle-burnt-in': 'subtitles are drawn into the picture',
} as const

addEnglish(reasonsEn)

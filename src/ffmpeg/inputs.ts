/**
 * Inputs on the command lines of ffmpeg and ffprobe. Every `-i` is made here: a file that calls itself a film may be a playlist or a
 * script that names other files, so each input says which formats it may have and which protocols may open it.
 */

/** Demuxers of films, and of sound so that the answer can be "only sound"; none that opens further files (hls, dash, concat, image2). */
const FORMATS =
  'matroska,mov,avi,mpeg,mpegts,mpegvideo,ogg,asf,flv,live_flv,rm,mxf,nut,gxf,dv,wtv,ivf,obu,h264,hevc,m4v,vc1,nsv,pva,ty,' +
  'mp3,aac,ac3,eac3,dts,dtshd,truehd,flac,wav,w64,aiff,caf,ape,wv,tta,amr,au,tak'

const guarded = (protocols: string, options: readonly string[], url: string): readonly string[] => [
  '-protocol_whitelist',
  protocols,
  '-format_whitelist',
  FORMATS,
  ...options,
  '-i',
  url,
]

/** A film on a disk. `options`: of this input. */
export const mediaInput = (path: string, options: readonly string[] = []): readonly string[] => guarded('file', options, `file:${path}`)

/** A film that this process's own proxy serves: never by way of another proxy, which the environment may name. */
export const proxiedMediaInput = (url: string, options: readonly string[] = []): readonly string[] =>
  guarded('http,tcp', ['-http_proxy', '', '-seekable', '1', ...options], url)

/** What a filter of ffmpeg's makes out of nothing. `graph`: of our own text only. */
export const generatedInput = (graph: string): readonly string[] => ['-f', 'lavfi', '-i', graph]

/** Samples that are all zero, without end. */
export const silentInput = ({ sampleRate, channels, seconds }: Readonly<Record<'sampleRate' | 'channels' | 'seconds', number>>) =>
  `-protocol_whitelist file -f s16le -ar ${sampleRate} -ac ${channels} -t ${seconds} -i file:/dev/zero`.split(' ')

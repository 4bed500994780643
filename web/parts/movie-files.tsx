/** The files of a film: its versions, each of which can be played unless its file is missing, and what is in them. */
import { Play } from 'lucide'
import type { FileStats, Movie } from '../data/queries.ts'
import { languageName, list, size } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

type File = FileStats['files'][number]

export interface MovieFilesProps {
  readonly stats: FileStats
  /** Its files say whether they are available. */
  readonly movie: Movie
}

export function MovieFiles({ stats: { files }, movie }: MovieFilesProps) {
  const missing = new Set(movie.files.filter(({ available }) => !available).map(({ id }) => id))
  return (
    <section class="shelf" aria-labelledby="movie-files">
      <h2 id="movie-files">{say('movie.files', { count: files.length })}</h2>
      <ul class="files">
        {files.map((file) => (
          <li key={file.id} class="file">
            <div>
              <strong>{file.name}</strong>
              <p class="soft">{summaryOf(file)}</p>
              {missing.has(file.id) && <p class="warning">{say('movie.version-missing')}</p>}
            </div>
            {files.length > 1 && !missing.has(file.id) && (
              <Link to={`/watch/${movie.id}?file=${file.id}`} class="button" data-focus={`file ${file.id}`}>
                <Icon of={Play} size={16} />
                {say('movie.play-version')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function summaryOf({ video, audio, subtitles, size: bytes }: File): string {
  const [track] = video
  return [
    ...(track
      ? [`${codecName(track.codec)} ${track.width}×${track.height}${track.hdr === null ? '' : ` ${track.hdr.toUpperCase()}`}`]
      : []),
    ...audio.map(({ codec, channels, language }) =>
      [codecName(codec), channelsOf(channels), ...(language === null ? [] : [languageName(language)])].join(' '),
    ),
    ...(subtitles.length > 0
      ? [
          say('movie.subtitles-in', {
            languages: list([...new Set(subtitles.map(({ language }) => (language === null ? '?' : languageName(language))))]),
          }),
        ]
      : []),
    size(bytes),
  ].join(' · ')
}

const channelsOf = (channels: number | null): string =>
  channels === 6 ? '5.1' : channels === 8 ? '7.1' : channels === 2 ? '2.0' : channels === 1 ? '1.0' : String(channels ?? '?')

/** As they are written on discs and devices; others in capitals. */
const CODECS: Readonly<Record<string, string>> = {
  h264: 'H.264',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4',
  theora: 'Theora',
  opus: 'Opus',
  vorbis: 'Vorbis',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  truehd: 'Dolby TrueHD',
}

const codecName = (codec: string | null): string => CODECS[codec ?? ''] ?? (codec ?? '?').toUpperCase()

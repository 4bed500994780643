/** Schemas of the media details of a movie's files. */
import { Type, type Static } from 'typebox'
import { RESOLUTIONS } from '../../vocabulary/resolution.ts'
import { Count, Id, Seconds, Time, named, nullable, nullableEnum } from '../server/values-schemas.ts'

const unknownText = nullable(Type.String())
const bitrate = nullable(Type.Integer({ minimum: 0, description: 'Bit/s.' }))

const video = Type.Object({
  codec: Type.String(),
  profile: unknownText,
  width: Count,
  height: Count,
  frameRate: nullable(Type.Number()),
  bitDepth: Count,
  hdr: unknownText,
  bitrate,
})

const audio = Type.Object({ codec: Type.String(), channels: Count, language: unknownText, title: unknownText, default: Type.Boolean() })

const subtitle = Type.Object({
  codec: Type.String(),
  language: unknownText,
  title: unknownText,
  forced: Type.Boolean(),
  default: Type.Boolean(),
  external: Type.Boolean({ description: 'Whether the track is a file beside the media file.' }),
})

const overall = { container: unknownText, size: Count, duration: nullable(Seconds), bitrate }

export const FileStats = named(
  'FileStats',
  Type.Object(
    {
      movieId: Id,
      ...overall,
      resolution: nullableEnum([...RESOLUTIONS]),
      width: nullable(Count),
      height: nullable(Count),
      videoCodec: unknownText,
      audioCodec: unknownText,
      files: Type.Array(
        Type.Object({
          id: Id,
          name: Type.String(),
          path: nullable(Type.String({ description: 'Admins only.' })),
          ...overall,
          video: Type.Array(video),
          audio: Type.Array(audio),
          subtitles: Type.Array(subtitle),
          chapters: Type.Array(Type.Object({ start: Seconds, title: unknownText })),
          modifiedAt: Time,
          fingerprint: Type.String({ description: 'Identifies the same content after a move.' }),
        }),
      ),
    },
    { description: 'Codecs and languages of every file. The top-level values are those of the primary file.' },
  ),
)
export type FileStatsBody = Static<typeof FileStats>

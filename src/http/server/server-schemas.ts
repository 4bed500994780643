/** Schemas of the server's information. */
import { Type } from 'typebox'
import { named, nullable, Time } from './values-schemas.ts'

const setting = Type.Object({
  name: Type.String({ examples: ['MARQUEE_PORT'] }),
  value: nullable(Type.String({ description: 'Null if it is not set, and if it is a secret. Of a connection string: the scheme.' })),
  isSet: Type.Boolean({ description: 'Whether it has a value, which may be the default.' }),
  meaning: Type.String(),
})

const bytes = Type.Integer({ minimum: 0 })

const backup = Type.Object({
  lastSuccessAt: nullable(
    Type.String({ format: 'date-time', description: 'When the last backup that succeeded began; null if this node knows of none.' }),
  ),
  lastEvents: nullable(Type.Integer({ minimum: 0, description: 'Events of the log in it; null if another process made it.' })),
  lastFailure: nullable(Type.String({ description: 'Why the last try failed; null if it did not.' })),
})

const agent = Type.Object({
  name: Type.String({ description: 'Of its process.' }),
  ffmpegVersion: Type.String({ description: 'Version of its ffmpeg; empty if it has none.' }),
  slots: Type.Number({ minimum: 0, description: 'Work that it does at once. A video of up to 720 lines takes one slot.' }),
  freeSlots: Type.Number({ minimum: 0 }),
  load: Type.Number({ minimum: 0, description: 'Average of the last minute; 1: all cores are busy.' }),
  encoders: Type.Unsafe<{ name: string; framesPerSecond: number }[] | null>({
    type: ['array', 'null'],
    items: Type.Object({
      name: Type.String({ examples: ['libx264', 'h264_vaapi'] }),
      framesPerSecond: Type.Number({ minimum: 0, description: 'Measured from 1080p to 720p, without other load.' }),
    }),
    description: 'Video encoders that passed their test; null while they are tested.',
  }),
  leaving: Type.Boolean({ description: 'It is stopping, and takes no jobs.' }),
})

export const ServerInfo = named(
  'ServerInfo',
  Type.Object({
    version: Type.String({ description: 'Version of Marquee.', examples: ['1.0.0'] }),
    nodeVersion: Type.String({ examples: ['v24.21.0'] }),
    startedAt: Time,
    memoryBytes: Type.Integer({ minimum: 0, description: 'Resident memory of this process.' }),
    ready: Type.Boolean({ description: 'Whether requests can be answered, as at `/readyz`.' }),
    reason: nullable(Type.String({ description: 'Why not; null if it is ready.' })),
    warnings: Type.Array(Type.String(), { description: 'What is missing although the server answers requests.' }),
    backup,
    agents: Type.Array(agent, { description: 'Transcode agents that announced themselves to this node in the last seconds.' }),
    cache: Type.Unsafe<{ usedBytes: number; limitBytes: number } | null>({
      anyOf: [Type.Object({ usedBytes: bytes, limitBytes: bytes }), { type: 'null' }],
      description: 'Transcoded segments on the disk of this node; null if it keeps none.',
    }),
    settings: Type.Array(setting, { description: 'Settings of this node, as they hold.' }),
  }),
)

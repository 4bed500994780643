/** Schemas of the projections. */
import { Type } from 'typebox'
import { named, nullable, pageOf, Seconds } from './values-schemas.ts'

const Rebuild = Type.Object({
  seq: Type.String({ description: 'Position of the last event in the new documents.', examples: ['9000'] }),
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'Part of the log that they hold.', examples: [0.49] }),
})

export const Projection = named(
  'Projection',
  Type.Object({
    name: Type.String({ examples: ['movies'] }),
    version: Type.Integer({ minimum: 1, description: 'A new version is rebuilt from the whole log while the old one still answers.' }),
    seq: Type.String({ description: 'Position of the last event that it has processed.', examples: ['18231'] }),
    lag: nullable({ ...Seconds, description: 'Seconds from the last event until it was visible; null before the first event.' }),
    state: Type.Enum(['live', 'catching-up', 'waiting'], {
      description: '`catching-up`: it processes older events; `waiting`: no projector keeps it.',
    }),
    checksum: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        examples: ['8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4'],
        description:
          'The same for equal content, whatever the engine: the sum modulo 2^256 of the SHA-256 of each document in canonical JSON. Null while the view is filled, while it changes too fast to be read, and while a large one is still being read: ask again later.',
      }),
    ),
    rebuild: nullable({
      ...Rebuild,
      description: 'A rebuild that runs: until it ends, the documents before it are read and kept up to date.',
    }),
  }),
)

export const ProjectionPage = pageOf(Projection)

/** Projections on the wire. */
import { Type } from 'typebox'
import { named, nullable, pageOf, Seconds } from './values-schemas.ts'

export const Projection = named(
  'Projection',
  Type.Object({
    name: Type.String({ examples: ['movies'] }),
    version: Type.Integer({ minimum: 1, description: 'A new version is made from the whole log, beside the old one.' }),
    seq: Type.String({ description: 'Position of the last event that it has passed.', examples: ['18231'] }),
    lag: nullable({ ...Seconds, description: 'Seconds from when the last event happened until it was visible; null before the first.' }),
    state: Type.Enum(['live', 'catching-up', 'waiting'], {
      description: '`catching-up` with the log since its projector began; `waiting` for a projector: none that keeps it answers.',
    }),
  }),
)

export const ProjectionPage = pageOf(Projection)

/** Projections on the wire. */
import { Type } from 'typebox'
import { named, nullable, pageOf, Seconds } from './values-schemas.ts'

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
  }),
)

export const ProjectionPage = pageOf(Projection)

/** Schemas of trickplay, for players that render preview images themselves. */
import { Type } from 'typebox'
import { Count, named, Seconds } from '../server/values-schemas.ts'

export const TrickplayPlan = named(
  'TrickplayPlan',
  Type.Object({
    interval: { ...Seconds, description: 'Seconds between thumbnails.' },
    duration: Seconds,
    w: { ...Count, description: 'Width of a thumbnail in pixels.' },
    h: { ...Count, description: 'Height of a thumbnail in pixels.' },
    cols: { ...Count, description: 'Thumbnails in a row of a sheet.' },
    rows: Count,
    sheets: Count,
    ptsList: Type.Array(Seconds, {
      description:
        'Time of each thumbnail in seconds. The thumbnail of interval n shows a frame of that interval, or up to a second before it.',
    }),
    urls: Type.Array(Type.String(), { description: 'URLs of the sheets, relative to this plan, each with a stream token.' }),
  }),
)

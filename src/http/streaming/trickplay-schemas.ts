/** Trickplay on the wire, for players that draw preview pictures by themselves. */
import { Type } from 'typebox'
import { Count, named, Seconds } from '../server/values-schemas.ts'

export const TrickplayPlan = named(
  'TrickplayPlan',
  Type.Object({
    interval: { ...Seconds, description: 'Seconds between pictures.' },
    duration: Seconds,
    w: { ...Count, description: 'Width of one picture.' },
    h: { ...Count, description: 'Height of one picture.' },
    cols: { ...Count, description: 'Pictures side by side on a sheet.' },
    rows: Count,
    sheets: Count,
    ptsList: Type.Array(Seconds, {
      description: 'When each picture is shown. The one of interval n lies in it, or up to a second before.',
    }),
    urls: Type.Array(Type.String(), { description: 'Of the sheets, relative to this plan, each with a stream token.' }),
  }),
)

/** Hours of the week: seven rows of twenty-four cells, the darker the more. */
import { hour, monthName, weekday } from '../words/calendar.ts'
import { levelOf, WEEK_CELLS, weekCell } from './heat-map-layout.ts'
import { Mark, Plot, useWidth } from './marks.tsx'

export interface HeatMapProps {
  readonly label: string
  /** 168 numbers, from Monday midnight. */
  readonly values: readonly number[]
  readonly linkOf: (index: number) => { readonly to: string; readonly label: string }
}

const ROW_PX = 26
const TOP = 22
const HOURS = 24

export function HeatMap({ label, values, linkOf }: HeatMapProps) {
  const { element, width } = useWidth()
  const start = width < 480 ? 30 : 44
  const box = { width: Math.max(width, 1), start, top: TOP, row: ROW_PX }
  const most = Math.max(0, ...values)
  const every = width < 480 ? 6 : 3
  return (
    <div ref={element} class="plot-box">
      {width > 0 && (
        <Plot label={label} width={width} height={TOP + 7 * ROW_PX} columns={HOURS}>
          {Array.from({ length: HOURS / every }, (_, index) => index * every).map((at) => (
            <text key={at} aria-hidden="true" class="plot-tick" x={weekCell(at, box).x} y={TOP - 8}>
              {hour(at)}
            </text>
          ))}
          {Array.from({ length: 7 }, (_, index) => (
            <text key={index} aria-hidden="true" class="plot-tick" x={0} y={TOP + index * ROW_PX + ROW_PX / 2} dy="0.32em">
              {weekday(index)}
            </text>
          ))}
          {Array.from({ length: WEEK_CELLS }, (_, index) => {
            const { x, y, width: wide, height } = weekCell(index, box)
            return (
              <Mark key={index} {...linkOf(index)}>
                <rect class={`heat l${levelOf(values[index] ?? 0, most)}`} x={x} y={y} width={wide} height={height} rx={2} />
              </Mark>
            )
          })}
        </Plot>
      )}
    </div>
  )
}

export interface CalendarProps {
  readonly label: string
  /** Dates of the year, in order, each with its number and where its rows are. */
  readonly days: readonly { readonly key: string; readonly value: number; readonly to: string; readonly label: string }[]
}

const CALENDAR_TOP = 20
const WEEKS = 53

/** A year: a column for each week, a cell for each day. */
export function Calendar({ label, days }: CalendarProps) {
  const { element, width } = useWidth()
  const cell = Math.max(3, Math.min(16, Math.floor((width - 30) / WEEKS)))
  const most = Math.max(0, ...days.map(({ value }) => value))
  const first = days[0] ? (new Date(days[0].key).getUTCDay() + 6) % 7 : 0
  return (
    <div ref={element} class="plot-box">
      {width > 0 && (
        <Plot label={label} width={Math.min(width, (WEEKS + 1) * cell)} height={CALENDAR_TOP + 7 * cell + 4} columns={7}>
          {days.map(({ key }, index) =>
            key.endsWith('-01') && key !== days[0]?.key ? (
              <text key={key} aria-hidden="true" class="plot-tick" x={Math.floor((index + first) / 7) * cell} y={12}>
                {new Date(key).getUTCMonth() % (cell < 9 ? 3 : 1) === 0 ? monthName(key) : ''}
              </text>
            ) : null,
          )}
          {days.map(({ key, value, to, label: name }, index) => {
            const place = index + first
            return (
              <Mark key={key} to={to} label={name}>
                <rect
                  class={`heat l${levelOf(value, most)}`}
                  x={Math.floor(place / 7) * cell}
                  y={CALENDAR_TOP + (place % 7) * cell}
                  width={cell - 1}
                  height={cell - 1}
                  rx={cell > 8 ? 2 : 0}
                />
              </Mark>
            )
          })}
        </Plot>
      )}
    </div>
  )
}

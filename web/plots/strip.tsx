/**
 * The strip of one viewing: the film's length across, time down. Stretches that were played are bars, pauses are dots, jumps are arcs. In a
 * row of the history it is one line high.
 */
import { clock, shortDuration, timeOfDay } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Mark, Plot, useWidth } from './marks.tsx'
import { playedSeconds, rowsOf, spanOf, type Strip } from './strip-layout.ts'

interface LineProps {
  readonly strip: Strip
  readonly length: number
}

const LINE = { height: 22, bar: 8, middle: 15 }
const ARC = { width: 100, height: 10 }

const share = (seconds: number, length: number): string => `${Math.min(100, Math.max(0, (seconds / length) * 100))}%`

/** One line. The row repeats in words what it shows. */
export function StripLine({ strip, length }: LineProps) {
  const { played, pauses, jumps } = strip
  return (
    <svg class="strip-line" height={LINE.height} width="100%" role="img" aria-label={stripText(strip)}>
      <rect class="whole" x="0" y={LINE.middle - 2} width="100%" height={4} rx={2} />
      {jumps.map(({ from, to, at }) => (
        <svg
          key={`${at} ${to}`}
          x={share(Math.min(from, to), length)}
          width={share(Math.abs(to - from), length)}
          y={1}
          height={ARC.height}
          viewBox={`0 0 ${ARC.width} ${ARC.height}`}
          preserveAspectRatio="none"
        >
          <path
            class="strip-jump"
            vector-effect="non-scaling-stroke"
            d={`M0 ${ARC.height}Q${ARC.width / 2} ${-ARC.height + 2} ${ARC.width} ${ARC.height}`}
          />
        </svg>
      ))}
      {played.map(({ from, to, since }) => (
        <rect
          key={`${since} ${from}`}
          class="s1"
          x={share(from, length)}
          y={LINE.middle - LINE.bar / 2}
          width={share(Math.max(to - from, length / 300), length)}
          height={LINE.bar}
          rx={2}
        />
      ))}
      {pauses.map(({ position, since }) => (
        <circle key={since} class="pause" cx={share(position, length)} cy={LINE.middle} r={4} />
      ))}
    </svg>
  )
}

export const stripText = (strip: Strip): string =>
  say('strip.sentence', { time: shortDuration(playedSeconds(strip)), pauses: strip.pauses.length, jumps: strip.jumps.length })

interface FullProps extends LineProps {
  readonly movieId: string
}

const ROW_PX = 34
const TOP = 26
const START = 64
const BAR = 14
/** A viewing with more is shown by its table alone. */
const MOST_ROWS = 200

export function StripFull({ strip, length, movieId }: FullProps) {
  const { element, width } = useWidth()
  const rows = rowsOf(strip).slice(0, MOST_ROWS)
  const wide = Math.max(1, width - START - 8)
  const xOf = (position: number): number => START + spanOf({ from: position, to: position }, length, wide).x
  const yOf = (index: number): number => TOP + index * ROW_PX + ROW_PX / 2
  const count = Math.max(2, Math.min(7, Math.floor(wide / 90)))
  const ticks = Array.from({ length: count }, (_, index) => (length * index) / (count - 1))
  return (
    <div ref={element} class="plot-box">
      {width > 0 && (
        <Plot label={stripText(strip)} width={width} height={TOP + rows.length * ROW_PX + 6}>
          {ticks.map((position, index) => (
            <g key={position} aria-hidden="true">
              <line class="grid" x1={xOf(position)} x2={xOf(position)} y1={TOP - 6} y2={TOP + rows.length * ROW_PX} />
              <text
                class={index === 0 ? 'plot-tick' : index === count - 1 ? 'plot-tick end' : 'plot-tick middle'}
                x={xOf(position)}
                y={TOP - 12}
              >
                {clock(position)}
              </text>
            </g>
          ))}
          {rows.map(({ played, pauses, jump }, index) => {
            const span = played && spanOf(played, length, wide)
            const pausedSeconds = pauses.reduce((sum, { seconds }) => sum + seconds, 0)
            const last = pauses.at(-1)
            return (
              <g key={`${played?.since ?? pauses[0]?.since ?? jump?.at} ${played?.from ?? ''}`}>
                <text class="plot-tick" aria-hidden="true" x={0} y={yOf(index)} dy="0.32em">
                  {timeOfDay(played?.since ?? pauses[0]?.since ?? jump?.at ?? '')}
                </text>
                {jump && index + 1 < rows.length && (
                  <path
                    class="strip-jump"
                    aria-hidden="true"
                    d={`M${xOf(jump.from)} ${yOf(index)}C${xOf(jump.from)} ${yOf(index + 1)} ${xOf(jump.to)} ${yOf(index)} ${xOf(jump.to)} ${yOf(index + 1)}`}
                  />
                )}
                {played && span && (
                  <Mark
                    to={`/watch/${movieId}?t=${Math.floor(played.from)}`}
                    label={say('strip.play-from', { from: clock(played.from), to: clock(played.to) })}
                  >
                    <rect
                      class="hit"
                      x={START + span.x - 5}
                      y={yOf(index) - ROW_PX / 2}
                      width={Math.max(24, span.width + 10)}
                      height={ROW_PX}
                    />
                    <rect class="s1" x={START + span.x} y={yOf(index) - BAR / 2} width={span.width} height={BAR} rx={3} />
                  </Mark>
                )}
                {pauses.map(({ position, since }) => (
                  <circle key={since} class="pause" aria-hidden="true" cx={xOf(position)} cy={yOf(index)} r={6} />
                ))}
                {last && (
                  <text
                    class={xOf(last.position) > width - 90 ? 'plot-tick end' : 'plot-tick'}
                    aria-hidden="true"
                    x={xOf(last.position) + (xOf(last.position) > width - 90 ? -11 : 11)}
                    y={yOf(index)}
                    dy={BAR + 2}
                  >
                    {shortDuration(pausedSeconds)}
                  </text>
                )}
              </g>
            )
          })}
        </Plot>
      )}
    </div>
  )
}

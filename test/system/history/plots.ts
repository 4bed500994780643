/**
 * Draws a household's year from the CSV exports of the figures: `node test/system/history/plots.ts [viewings]` simulates it, requests the
 * tables from the API, and writes one SVG for each into docs/household/.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNode } from '../../http/server/two-nodes.ts'
import { FROM, liveAYear, TO } from './household.ts'

type Row = Readonly<Record<string, string>>

const FOLDER = join(import.meta.dirname, '../../../docs/household')
const [WIDTH, HEIGHT] = [840, 240]
const MARGIN = { left: 48, right: 12, top: 32, bottom: 28 }
const INNER = { width: WIDTH - MARGIN.left - MARGIN.right, height: HEIGHT - MARGIN.top - MARGIN.bottom }
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const COLOUR = '#3465a4'

const round = (value: number): string => String(Math.round(value * 10) / 10)
const text = (x: number, y: number, words: string, anchor = 'start'): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`

function figure(title: string, marks: readonly string[]): string {
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="11">`
  const ground = `<title>${title}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`
  return [frame, ground, `<text x="${MARGIN.left}" y="18" font-size="14">${title}</text>`, ...marks, '</svg>', ''].join('\n')
}

/** A line at the top value, with the value beside it. */
function scale(most: number, unit: string): readonly string[] {
  const right = MARGIN.left + INNER.width
  const bottom = MARGIN.top + INNER.height
  return [
    `<path d="M${MARGIN.left} ${bottom}H${right}M${MARGIN.left} ${MARGIN.top}H${right}" stroke="#bbb" fill="none"/>`,
    text(MARGIN.left - 6, MARGIN.top + 4, `${round(most)}${unit}`, 'end'),
    text(MARGIN.left - 6, bottom + 4, '0', 'end'),
  ]
}

/** Bars of hours by week. */
function bars(title: string, rows: readonly Row[]): string {
  const hours = rows.map((row) => Number(row['total']) / 3600)
  const most = Math.max(...hours, 1)
  const step = INNER.width / rows.length
  const marks = rows.map((row, n) => {
    const height = ((hours[n] ?? 0) / most) * INNER.height
    const [x, y] = [MARGIN.left + n * step + 1, MARGIN.top + INNER.height - height]
    const box = `x="${round(x)}" y="${round(y)}" width="${round(step - 2)}" height="${round(height)}"`
    return `<rect ${box} fill="${COLOUR}"><title>${row['bucket']}: ${round(hours[n] ?? 0)} h</title></rect>`
  })
  const labels = rows.flatMap((row, n) => (n % 8 === 0 ? [text(MARGIN.left + n * step, HEIGHT - 10, row['bucket'] ?? '')] : []))
  return figure(title, [...scale(most, ' h'), ...marks, ...labels])
}

/** The 168 hours of a week; a darker cell means more was watched. */
function heatMap(title: string, rows: readonly Row[]): string {
  const most = Math.max(...rows.map((row) => Number(row['total'])), 1)
  const [width, height] = [INNER.width / 24, INNER.height / 7]
  const cells = rows.map((row, hour) => {
    const value = Number(row['total'])
    const [x, y] = [MARGIN.left + (hour % 24) * width, MARGIN.top + Math.floor(hour / 24) * height]
    const box = `x="${round(x)}" y="${round(y)}" width="${round(width - 1)}" height="${round(height - 1)}"`
    const told = `${DAYS[Math.floor(hour / 24)]} ${hour % 24}:00: ${round(value / 3600)} h`
    return `<rect ${box} fill="${COLOUR}" fill-opacity="${((value / most) * 0.95 + 0.05).toFixed(2)}"><title>${told}</title></rect>`
  })
  const days = DAYS.map((day, n) => text(MARGIN.left - 6, MARGIN.top + (n + 0.65) * height, day.slice(0, 3), 'end'))
  const hours = [0, 6, 12, 18].map((hour) => text(MARGIN.left + hour * width, HEIGHT - 10, `${hour}:00`))
  return figure(title, [...cells, ...days, ...hours])
}

/** Number of simultaneous viewings. */
function steps(title: string, rows: readonly Row[]): string {
  const points = rows.map((row) => ({ atMs: Date.parse(row['at'] ?? ''), count: Number(row['count']) }))
  const most = Math.max(...points.map(({ count }) => count), 1)
  const x = (atMs: number) => MARGIN.left + ((atMs - FROM) / (TO - FROM)) * INNER.width
  const y = (count: number) => MARGIN.top + INNER.height - (count / most) * INNER.height
  const line = points.map(({ atMs, count }, n) =>
    n === 0 ? `M${round(x(atMs))} ${round(y(count))}` : `H${round(x(atMs))}V${round(y(count))}`,
  )
  return figure(title, [...scale(most, ''), `<path d="${line.join('')}" stroke="${COLOUR}" fill="none"/>`])
}

function rowsOf(csv: string): readonly Row[] {
  const [head = '', ...lines] = csv.trim().split(/\r?\n/)
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n] ?? '', value])))
}

async function main(viewings: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-plots-'))
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) } as never
  const household = await liveAYear(t, { folder, seed: 9, viewings })
  const { cluster } = household.node
  const node = await openNode(t, { cluster, name: 'plots', fixture: household.node })
  const { token } = await household.node.login(household.people[0]!.caller.userId)
  const range = `scope=all&tz=Europe/Berlin&format=csv&from=${new Date(FROM).toISOString()}&to=${new Date(TO).toISOString()}`
  const table = async (path: string) => rowsOf((await node.ask('GET', `/v1/analytics/${path}&${range}`, { token })).body)
  mkdirSync(FOLDER, { recursive: true })
  const write = (name: string, svg: string) => writeFileSync(join(FOLDER, name), svg)
  write('weeks.svg', bars('Hours watched by week', await table('plays?groupBy=week&metric=seconds')))
  write('hours-of-the-week.svg', heatMap('When it is watched, by hour of the week', await table('plays?groupBy=hourOfWeek&metric=seconds')))
  write('at-once.svg', steps('Playbacks at once', await table('concurrency?points=2000')))
  for (const end of ends) await end()
  rmSync(folder, { recursive: true, force: true })
}

if (import.meta.main) {
  await main(Number(process.argv[2] ?? 400))
  process.exit(0)
}

/**
 * Writes the trickplay formats that players read: WebVTT with a cue for each thumbnail, a JSON plan, an image playlist (for Roku and Shaka)
 * and its line in the master playlist. Every URI is relative and carries the stream token.
 */
import type { TrickplayPlan } from '../../vocabulary/trickplay.ts'
import { timestamp } from '../subtitles/subtitle-text.ts'
import { vod } from './playlist.ts'

type Sized = Pick<TrickplayPlan, 'width' | 'height' | 'columns' | 'rows'>

const perSheet = ({ columns, rows }: Sized): number => columns * rows
const sheetUri = ({ width }: Sized, sheet: number, token: string): string => `${width}-${sheet}.jpg?token=${token}`

export function thumbnailsVtt(plan: TrickplayPlan, token: string): string {
  const { intervalMs, durationMs, ptsMs, width, height, columns } = plan
  const cues = ptsMs.map((_, thumbnail) => {
    const place = thumbnail % perSheet(plan)
    const [x, y] = [(place % columns) * width, Math.floor(place / columns) * height]
    const isLast = thumbnail === ptsMs.length - 1
    const endMs = isLast ? Math.max(durationMs, thumbnail * intervalMs + 1) : (thumbnail + 1) * intervalMs
    const uri = sheetUri(plan, Math.floor(thumbnail / perSheet(plan)), token)
    return `${timestamp(thumbnail * intervalMs)} --> ${timestamp(Math.round(endMs))}\n${uri}#xywh=${x},${y},${width},${height}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

/** Times in seconds, as everywhere on the wire. */
export interface TrickplayDocument {
  readonly interval: number
  readonly duration: number
  readonly w: number
  readonly h: number
  readonly cols: number
  readonly rows: number
  readonly sheets: number
  /** Time at which each thumbnail is shown. */
  readonly ptsList: readonly number[]
  /** URLs of the sheets, relative to the plan. */
  readonly urls: readonly string[]
}

export function planDocument(plan: TrickplayPlan, token: string): TrickplayDocument {
  const { intervalMs, durationMs, width, height, columns, rows, ptsMs, sheetBytes } = plan
  return {
    interval: seconds(intervalMs),
    duration: seconds(durationMs),
    w: width,
    h: height,
    cols: columns,
    rows,
    sheets: sheetBytes.length,
    ptsList: ptsMs.map(seconds),
    urls: sheetBytes.map((_, sheet) => sheetUri(plan, sheet, token)),
  }
}

export function imagePlaylist(plan: TrickplayPlan, token: string): string {
  const { intervalMs, width, height, columns, rows, sheetBytes } = plan
  const tiles = `#EXT-X-TILES:RESOLUTION=${width}x${height},LAYOUT=${columns}x${rows},DURATION=${seconds(intervalMs)}`
  const sheets = sheetBytes.flatMap((_, sheet) => [
    `#EXTINF:${seconds(sheetMs(plan, sheet)).toFixed(3)},`,
    tiles,
    sheetUri(plan, sheet, token),
  ])
  const target = Math.ceil(seconds(Math.max(...sheetBytes.map((_, sheet) => sheetMs(plan, sheet)))))
  return vod(target, ['#EXT-X-IMAGES-ONLY', ...sheets])
}

/** The master playlist with the film's images at the end. */
export function withImages(master: string, plan: TrickplayPlan, token: string): string {
  const { width, height } = plan
  const attributes = [
    `BANDWIDTH=${peakBps(plan)}`,
    `RESOLUTION=${width}x${height}`,
    'CODECS="jpeg"',
    `URI="trickplay/${width}.m3u8?token=${token}"`,
  ]
  return `${master}#EXT-X-IMAGE-STREAM-INF:${attributes.join(',')}\n`
}

function peakBps(plan: TrickplayPlan): number {
  return Math.max(1, ...plan.sheetBytes.map((bytes, sheet) => Math.ceil((bytes * 8000) / sheetMs(plan, sheet))))
}

/** The time that a sheet covers; the last one covers the remainder. */
function sheetMs(plan: TrickplayPlan, sheet: number): number {
  const wholeMs = perSheet(plan) * plan.intervalMs
  return sheet < plan.sheetBytes.length - 1 ? wholeMs : Math.max(1, plan.durationMs - sheet * wholeMs)
}

const seconds = (ms: number): number => Math.round(ms) / 1000

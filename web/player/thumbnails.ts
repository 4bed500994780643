/** Thumbnails of the slider: which part of which sheet stands for a position. Sheets are fetched when their first image is wanted. */

/** `plan.json` of trickplay. */
export interface ThumbnailPlan {
  readonly interval: number
  readonly w: number
  readonly h: number
  readonly cols: number
  readonly rows: number
  readonly ptsList: readonly number[]
  /** Relative to the plan. */
  readonly urls: readonly string[]
}

export interface Thumbnail {
  readonly url: string
  readonly sheet: number
  /** Pixels within the sheet. */
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

export function thumbnailAt(plan: ThumbnailPlan, position: number): Thumbnail | undefined {
  const { interval, w, h, cols, rows, ptsList, urls } = plan
  const thumbnail = Math.min(ptsList.length - 1, Math.max(0, Math.floor(position / interval)))
  const perSheet = cols * rows
  const sheet = Math.floor(thumbnail / perSheet)
  const url = urls[sheet]
  if (url === undefined) return undefined
  const place = thumbnail % perSheet
  return { url, sheet, x: (place % cols) * w, y: Math.floor(place / cols) * h, w, h }
}

export interface Thumbnails {
  /** The sheet that it lies in, and the next one, are on their way afterwards. */
  at(position: number): Thumbnail | undefined
}

export interface ThumbnailSource {
  /** Gives undefined if there are none. */
  readonly readPlan: () => Promise<ThumbnailPlan | undefined>
  /** Puts a sheet into the browser's cache. */
  readonly fetchSheet: (url: string) => void
  /** Of the plan: addresses of sheets are relative to it. */
  readonly base: string
}

/** The plan is read when the first thumbnail is wanted. `onPlan`: there are thumbnails now. */
export function createThumbnails({ readPlan, fetchSheet, base }: ThumbnailSource, onPlan: () => void): Thumbnails {
  const state: { plan: ThumbnailPlan | undefined; isAsked: boolean } = { plan: undefined, isAsked: false }
  const asked = new Set<number>()

  async function ask(): Promise<void> {
    state.isAsked = true
    const plan = await readPlan()
    if (!plan) return
    state.plan = { ...plan, urls: plan.urls.map((url) => new URL(url, base).href) }
    onPlan()
  }

  function fetchOnce(sheet: number): void {
    const url = state.plan?.urls[sheet]
    if (url === undefined || asked.has(sheet)) return
    asked.add(sheet)
    fetchSheet(url)
  }

  return {
    at(position) {
      if (!state.isAsked) void ask()
      const found = state.plan && thumbnailAt(state.plan, position)
      if (found) for (const sheet of [found.sheet, found.sheet + 1]) fetchOnce(sheet)
      return found
    },
  }
}

/** `thumbnails.vtt` and `plan.json` lie beside each other. */
export const planUrl = (trickplayUrl: string): string => trickplayUrl.replace(/[^/]*$/, 'plan.json')

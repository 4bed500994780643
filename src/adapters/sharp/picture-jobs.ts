/** Messages between the server and the process that makes pictures. */
import type { Making, PictureFacts } from '../../ports/pictures.ts'
import type { SheetGrid } from '../../ports/trickplay-maker.ts'

export type PictureJob =
  | { readonly kind: 'look'; readonly bytes: Uint8Array }
  | { readonly kind: 'tint'; readonly bytes: Uint8Array }
  | { readonly kind: 'make'; readonly bytes: Uint8Array; readonly making: Making }
  | { readonly kind: 'blank'; readonly size: Pick<Making, 'width' | 'height'> }
  | { readonly kind: 'sheet'; readonly pictures: readonly Uint8Array[]; readonly grid: SheetGrid }

export interface AskedJob {
  readonly id: number
  readonly job: PictureJob
}

export type JobReply = { readonly id: number } & (
  | { readonly value: PictureFacts | Uint8Array | string }
  /** `isBad`: the picture is at fault. */
  | { readonly failure: string; readonly isBad: boolean }
)

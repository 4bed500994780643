/** Messages between the server and the process that makes images. */
import type { MadeImage, Making } from '../../ports/image-maker.ts'
import type { SheetGrid } from '../../ports/trickplay-maker.ts'
import type { Size } from '../../vocabulary/image-box.ts'

export type ImageJob =
  | { readonly kind: 'tint'; readonly bytes: Uint8Array }
  | { readonly kind: 'make'; readonly bytes: Uint8Array; readonly making: Making }
  | { readonly kind: 'blank'; readonly size: Size }
  | { readonly kind: 'sheet'; readonly images: readonly Uint8Array[]; readonly grid: SheetGrid }

export interface AskedJob {
  readonly id: number
  readonly job: ImageJob
}

export type JobReply = { readonly id: number } & (
  | { readonly value: MadeImage | Uint8Array | string }
  /** `isBad`: the image is at fault. */
  | { readonly failure: string; readonly isBad: boolean }
)

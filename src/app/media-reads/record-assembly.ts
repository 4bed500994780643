/** Buffers bytes for their reader, up to a bound. */

export interface Pieces {
  /** False if there is no room: nothing was taken. */
  push(piece: Uint8Array): boolean
  /** The reader still gets the buffered bytes. */
  end(this: void): void
  /** The reader gets this error after the buffered bytes. */
  fail(this: void, cause: unknown): void
  /** Whether the reader has stopped reading. */
  isLeft(): boolean
  readonly output: AsyncIterable<Uint8Array>
}

const MOST_BYTES = 4 * 1024 * 1024

export function createPieces(): Pieces {
  const waiting: Uint8Array[] = []
  let bytes = 0
  let end: { readonly cause?: unknown } | undefined
  let isLeft = false
  let wake: (() => void) | undefined

  function finish(how: { readonly cause?: unknown }): void {
    end ??= how
    wake?.()
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = waiting.shift()
        if (piece) {
          bytes -= piece.byteLength
          yield piece
        } else if (end && 'cause' in end) throw end.cause
        else if (end) return
        else await new Promise<void>((resolve) => void (wake = resolve))
      }
    } finally {
      isLeft = true
      waiting.length = 0
    }
  }

  return {
    push(piece) {
      if (bytes > 0 && bytes + piece.byteLength > MOST_BYTES) return false
      bytes += piece.byteLength
      waiting.push(piece)
      wake?.()
      return true
    },
    end: () => finish({}),
    fail: (cause) => finish({ cause }),
    isLeft: () => isLeft,
    output: read(),
  }
}

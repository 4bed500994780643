/** Lines of JSON out of a stream of bytes: one value a line, of a bounded length. */

const LINE_FEED = 10

export class LineTooLong extends Error {
  readonly code = 'line-too-long'
  constructor(longestBytes: number) {
    super(`A line is longer than ${longestBytes} bytes`)
    this.name = 'LineTooLong'
  }
}

/**
 * The values as they come, until the other side ends. What follows the last line break is left out.
 * @throws LineTooLong
 * @throws SyntaxError a line is not JSON
 */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>, longestBytes: number): AsyncGenerator {
  let rest: Uint8Array[] = []
  let restBytes = 0
  for await (let bytes of chunks) {
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED)) {
      yield JSON.parse(Buffer.concat([...rest, bytes.subarray(0, end)]).toString())
      bytes = bytes.subarray(end + 1)
      rest = []
      restBytes = 0
    }
    rest.push(bytes)
    restBytes += bytes.length
    if (restBytes > longestBytes) throw new LineTooLong(longestBytes)
  }
}

export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

/** The terminal: prints lines, and asks questions with hidden input. */
import type { ReadStream } from 'node:tty'
import { fileReason } from '../vocabulary/file-reason.ts'

export interface Terminal {
  print(line: string): void
  /** Prints an error line to standard error. */
  complain(line: string): void
  /** Asks for a text with hidden input; undefined without an interactive terminal, or on Ctrl-C. */
  askHidden(question: string): Promise<string | undefined>
}

/** A terminal on the process's own streams. */
export function createTerminal(): Terminal {
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    askHidden: async (question) => (process.stdin.isTTY ? readHidden(process.stdin, question) : undefined),
  }
}

/**
 * Waits until the reader has taken all output, or is gone. Writing to a pipe does not wait: what is still in memory when the process exits is
 * lost, and a pipe holds only 64 kB. Returns why the output is not complete, as in a file on a full disk; undefined: all is written.
 */
export async function outputWritten(): Promise<string | undefined> {
  const [cause] = await Promise.all([process.stdout, process.stderr].map(written))
  // A reader that has gone, such as `head`, has what it wanted.
  const isComplete = !cause || ('code' in cause && cause.code === 'EPIPE')
  return isComplete ? undefined : `The output is not complete: ${fileReason(cause)}.`
}

/** A stream that has failed says so again. */
const written = (stream: NodeJS.WriteStream): Promise<Error | null | undefined> =>
  new Promise((resolve) => void stream.write('', (cause) => resolve(cause)))

/** Far longer than any password; further characters are ignored. */
const LONGEST = 1024

function readHidden(input: ReadStream, question: string): Promise<string | undefined> {
  process.stderr.write(question)
  input.setRawMode(true).setEncoding('utf8').resume()
  return new Promise((resolve) => {
    let text = ''
    const finish = (answer: string | undefined) => {
      input.off('data', take).setRawMode(false).pause()
      process.stderr.write('\n')
      resolve(answer)
    }
    const take = (typed: string) => {
      for (const key of typed) {
        if (key === '\r' || key === '\n') return finish(text)
        if (key === CTRL_C || key === CTRL_D) return finish(undefined)
        text = key === BACKSPACE || key === DELETE ? text.slice(0, -1) : `${text}${key}`.slice(0, LONGEST)
      }
    }
    input.on('data', take)
  })
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const BACKSPACE = '\b'
const DELETE = '\u007f'

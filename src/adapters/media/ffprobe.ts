/**
 * Runs ffprobe on one file: arguments only, no shell, only the `file` protocol and only containers of films and sound (a
 * playlist dressed as a film must not make it open other files), bounded in time and output.
 */
import { constants, setPriority } from 'node:os'
import { execa } from 'execa'
import type { Clock } from '../../ports/clock.ts'
import { NotPlayable } from '../../ports/media.ts'

export interface FfprobeRun {
  readonly path: string
  readonly arguments: readonly string[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Whether the scheduler may prefer everything else. */
  readonly background: boolean
  /** Takes the output piece by piece; a throw ends the run. */
  readonly take: (text: string) => void
}

export interface FfprobeEnd {
  readonly ok: boolean
  /** The first lines that it printed on standard error; they name the file's path. */
  readonly errors: string
}

export type RunFfprobe = (run: FfprobeRun) => Promise<FfprobeEnd>

const ERROR_CHARACTERS = 16_384
/** Static builds crash on a transport stream when they load the machine's character set modules; nothing here needs them. */
const NO_CHARACTER_SETS = { GCONV_PATH: '/nonexistent' }

/** Demuxers that may open a file: containers of films, and of sound so that the answer can be "only sound". */
const CONTAINERS =
  'matroska,mov,avi,mpeg,mpegts,mpegvideo,ogg,asf,flv,live_flv,rm,mxf,nut,gxf,dv,wtv,ivf,obu,h264,hevc,m4v,vc1,nsv,pva,ty,' +
  'mp3,aac,ac3,eac3,dts,dtshd,truehd,flac,wav,w64,aiff,caf,ape,wv,tta,amr,au,tak'

export function createFfprobe({ program, clock }: { readonly program: string; readonly clock: Clock }): RunFfprobe {
  return async (run) => {
    run.signal.throwIfAborted()
    const late = new AbortController()
    const disarm = clock.after(run.timeoutMs, () => late.abort())
    try {
      const end = await runBounded(program, run, AbortSignal.any([run.signal, late.signal]))
      run.signal.throwIfAborted()
      if (late.signal.aborted) throw new NotPlayable('Probe timed out')
      return end
    } finally {
      disarm()
    }
  }
}

async function runBounded(program: string, run: FfprobeRun, signal: AbortSignal): Promise<FfprobeEnd> {
  const child = execa(program, argumentsOf(run), {
    stdin: 'ignore',
    buffer: false,
    reject: false,
    cancelSignal: signal,
    killSignal: 'SIGKILL',
    env: NO_CHARACTER_SETS,
  })
  if (run.background) lower(child.pid)
  const errors = collect(child.stderr)
  try {
    for await (const text of child.stdout.setEncoding('utf8')) run.take(String(text))
  } catch (error) {
    child.kill('SIGKILL')
    if (!signal.aborted) throw error
  }
  const { exitCode, isCanceled, isTerminated, cause } = await child
  if (isCanceled || signal.aborted) return { ok: false, errors: '' }
  if (isTerminated) throw new NotPlayable('It makes the media reader crash')
  if (exitCode === undefined) throw new Error('ffprobe cannot be started', { cause })
  return { ok: exitCode === 0, errors: errors() }
}

function argumentsOf({ path, arguments: own }: FfprobeRun): string[] {
  return ['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS, ...own, '-i', `file:${path}`]
}

/** Gathers the beginning of a stream and lets the rest go by: a damaged film may complain without end. */
function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < ERROR_CHARACTERS) text += piece.slice(0, ERROR_CHARACTERS - text.length)
  })
  return () => text
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system does not let us: it then runs like any other.
  }
}

/**
 * Starts the program again in its own place: the built one instead of its sources, with settings of Node and of the C library that can
 * only be given at a start. The process keeps its id, its open files and its arguments.
 */
import { dirname, join } from 'node:path'
import { isBuiltFrom } from './built-programs.ts'

/**
 * The young generation of V8 takes three times this, and never gives it back. It has its size from the beginning: a smaller one is collected
 * again and again while the modules are loaded. The old generation is first collected at 64 MB, not while the program starts, and then when
 * it has grown by half; by default it may grow to four times its size. When nothing is done, idle-collection.ts collects it. One thread is
 * enough for compiling and collecting beside the main one. It optimizes what has been called 2,000 times: after 400 calls, as by default,
 * the start alone would optimize hundreds of functions, in memory that the C library keeps.
 */
export const NODE_OPTIONS = [
  '--max-semi-space-size=4',
  '--min-semi-space-size=4',
  '--heap-growing-percent=50',
  '--v8-pool-size=1',
  '--invocation-count-for-maglev=2000',
  '--initial-old-space-size=64',
  '--expose-gc',
]
/**
 * By default the C library gives each thread an arena of its own, and keeps there what was freed: with one for all, any thread can use it
 * again. It would also take buffers from the heap that are as large as one that was freed before: the heap then has gaps of their size, and
 * only what is free at its end is given back. From the threshold on (bytes) each buffer is a mapping of its own.
 *
 * Calls of a drive that does not answer hold their threads: there are enough for several such drives (src/drives/media-files.ts).
 */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '24' }

const SOURCE = /\.ts$/

/** Returns if the process is already as it should be, or cannot be replaced. */
export function startAgain(file: string, name: string): void {
  const program = SOURCE.test(file) ? builtOf(file, name) : file
  if (program === undefined) return
  const missing = NODE_OPTIONS.filter((option) => !isGiven(option))
  const isSet = Object.keys(ENVIRONMENT).every((name) => process.env[name] !== undefined)
  if (program === file && missing.length === 0 && isSet) return
  const args = [process.argv0, ...process.execArgv, ...missing, program, ...process.argv.slice(2)]
  const emitWarning = process.emitWarning.bind(process)
  try {
    // Node warns that this is new, in the output of a program that has not begun.
    process.emitWarning = () => {}
    process.execve?.(process.execPath, args, { ...ENVIRONMENT, ...process.env })
  } catch {
    // On Windows, for example: the program runs as it is.
  }
  process.emitWarning = emitWarning
}

/** Also with another value, which somebody chose. */
function isGiven(option: string): boolean {
  const [name = ''] = option.split('=')
  return process.execArgv.some((given) => given === option || given.startsWith(`${name}=`))
}

/** Undefined if the sources are newer. */
function builtOf(file: string, name: string): string | undefined {
  const root = join(dirname(file), '..')
  const folder = join(root, 'dist')
  return isBuiltFrom(folder, root) ? join(folder, `${name}.js`) : undefined
}

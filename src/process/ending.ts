/**
 * Ends the process. `process.exit` waits for all threads, and a thread whose call a drive does not answer ends only when it answers: the
 * process would stay, with its lock on the data folder. The system ends such threads when it replaces the program of a process.
 */
import { areThreadsHeld } from '../drives/media-files.ts'

export function endProcess(code: number): never {
  if (areThreadsHeld()) replaceProgram(code)
  process.exit(code)
}

/** By one that exits with the code at once. Returns if the program cannot be replaced, as on Windows. */
function replaceProgram(code: number): void {
  // Node warns that this is new.
  process.emitWarning = () => {}
  try {
    process.execve?.(process.execPath, [process.argv0, '--eval', `process.exit(${code})`], {})
  } catch {
    // It ends when the drives answer.
  }
}

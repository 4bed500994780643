/**
 * Writes lines in groups: one system call for all lines of a turn of the event loop. Under load that saves most of the calls. What is left
 * when the process exits is written then.
 */
export function gatherLines(write: (lines: string) => void): (line: string) => void {
  let waiting = ''
  let isBound = false
  function flush(): void {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }
  return (line) => {
    if (waiting === '') setImmediate(flush)
    if (!isBound) process.once('exit', flush)
    isBound = true
    waiting += line
  }
}

/** `verify`: whether the log is still what was written. */
import type { Command, Call } from './command.ts'
import { DONE, NOT_DONE } from './command.ts'
import { counted, printable } from '../process/columns.ts'

export const verifyCommand: Command = {
  words: 'verify',
  usage: '',
  summary: 'checks the hash chain of every stream of the event log',
  takes: [0, 0],
  run: verify,
}

async function verify({ commands, terminal, signal }: Call): Promise<number> {
  const {
    streams,
    events,
    problems,
    faults = [],
  } = await commands.verify((sofar) => terminal.say(`${counted(sofar, 'event')} so far`), signal)
  const looked = `${counted(events, 'event')} in ${counted(streams, 'stream')}`
  if (problems.length === 0 && faults.length === 0) {
    terminal.say(`${looked}: every chain holds.`)
    return DONE
  }
  const found = [
    ...(problems.length > 0 ? [counted(problems.length, 'broken link')] : []),
    ...(faults.length > 0 ? [`${counted(faults.length, 'fault')} of the log as a whole`] : []),
  ]
  terminal.complain(`${looked}: ${found.join(', ')}.`)
  for (const fault of faults) terminal.complain(printable(`  ${fault}`))
  for (const { stream, revision, reason } of problems) terminal.complain(printable(`  ${stream}, event ${revision}: ${reason}`))
  return NOT_DONE
}

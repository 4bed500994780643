/** `verify`: whether the log is still what was written. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isRefusal } from '../domain/refusal.ts'
import type { Command, Call } from './command.ts'
import { DONE, NOT_DONE } from './command.ts'
import { counted, printable } from '../process/columns.ts'

export const verifyCommand: Command = {
  words: 'verify',
  usage: '[--checkpoint <file>] [--key <verifier key>]',
  summary: 'checks the hash chain of every stream of the event log, and the log against checkpoints that were kept',
  takes: [0, 0],
  options: ['checkpoint', 'key'],
  run: verify,
}

async function verify({ commands, terminal, signal, options, folder }: Call): Promise<number> {
  const { checkpoint, key } = options
  const ask = {
    ...(checkpoint === undefined ? {} : { checkpoints: readCheckpoints(resolve(folder, checkpoint)) }),
    ...(key === undefined ? {} : { key }),
  }
  const verified = await commands.verify(ask, (sofar) => terminal.say(`${counted(sofar, 'event')} so far`), signal)
  if (isRefusal(verified)) {
    terminal.complain(verified.message)
    return NOT_DONE
  }
  const { streams, events, problems, faults } = verified
  const looked = `${counted(events, 'event')} in ${counted(streams, 'stream')}`
  if (problems.length === 0 && faults.length === 0) {
    terminal.say(`${looked}: every chain holds${checkpoint === undefined ? '' : ', and so do all checkpoints'}.`)
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

function readCheckpoints(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `The checkpoints cannot be read: ${reason}. Give a file that MARQUEE_CHECKPOINT_FILE named, or one with a note of /v1/audit/checkpoint.`,
      { cause: cause },
    )
  }
}

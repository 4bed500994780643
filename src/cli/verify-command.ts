/** Implements `verify`: checks whether the log is unchanged since it was written. */
import { resolve } from 'node:path'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { isRefusal } from '../domain/refusal.ts'
import type { FirstDifference, LogPlace, Verification } from '../app/operator/operator-commands.ts'
import { keysIn } from './backup-commands.ts'
import type { BareCall, Command, LogCall } from './command.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printProgress, wantsJson } from './command.ts'
import { readGivenFile } from './given-file.ts'
import { counted, printable } from '../process/columns.ts'

const CHECKPOINT_FILE = 'Give a file that MARQUEE_CHECKPOINT_FILE named, or one with a note of /v1/audit/checkpoint'

export const verifyCommand: Command = {
  words: 'verify',
  usage: '[--checkpoint <file> [--key <verifier key, or a file with one a line>]...] [--log <copy of events.sqlite>]',
  summary: 'checks the hash chain of every stream of the event log, or of a copy of it, and the log against checkpoints that were kept',
  takes: [0, 0],
  options: ['checkpoint', 'log'],
  lists: ['key'],
  bare: { option: 'log', run: verifyCopy },
  onlyReads: true,
  run: verify,
}

async function verifyCopy(call: BareCall): Promise<number> {
  const copy = await call.openLogCopy(resolve(call.folder, call.options['log'] ?? ''))
  try {
    return await verify({ ...call, commands: copy })
  } finally {
    await copy.close()
  }
}

async function verify(call: LogCall): Promise<number> {
  const { commands, terminal, signal, options, lists, folder } = call
  const { checkpoint } = options
  const { key } = lists
  if (key !== undefined && checkpoint === undefined) {
    terminal.complain('--key needs --checkpoint: a key verifies the signatures of checkpoints.')
    return NOT_UNDERSTOOD
  }
  const ask = omitUndefined({
    checkpoints: checkpoint === undefined ? undefined : readGivenFile(resolve(folder, checkpoint), 'Checkpoints', CHECKPOINT_FILE),
    keys: key?.flatMap((given) => keysIn(given, folder)),
  })
  const verified = await commands.verify(ask, (sofar) => printProgress(call, `${counted(sofar, 'event')} so far`), signal)
  if (isRefusal(verified)) {
    terminal.complain(verified.message)
    return NOT_DONE
  }
  if (wantsJson(call)) {
    terminal.print(JSON.stringify(verified))
    return holds(verified) ? DONE : NOT_DONE
  }
  return report(terminal, verified, checkpoint !== undefined)
}

const holds = ({ problems, faults, first }: Verification): boolean => problems.length === 0 && faults.length === 0 && first === null

function report(terminal: LogCall['terminal'], verified: Verification, isCompared: boolean): number {
  const { streams, events, problems, faults, first, notes } = verified
  if (notes.skipped > 0) terminal.print(skippedText(notes.skipped))
  if (notes.torn > 0) terminal.print(tornText(notes.torn))
  const looked = `${counted(events, 'event')} in ${counted(streams, 'stream')}`
  if (holds(verified)) {
    terminal.print(`${looked}: every chain holds${isCompared ? `, ${comparedText(notes.compared)}` : ''}.`)
    return DONE
  }
  const found = [
    ...(problems.length > 0 ? [counted(problems.length, 'broken link')] : []),
    ...(faults.length > 0 ? [`${counted(faults.length, 'fault')} of the log as a whole`] : []),
  ]
  terminal.complain(`${looked}: ${found.length > 0 ? found.join(', ') : 'not all are there'}.`)
  if (first) for (const line of linesOf(first)) terminal.complain(printable(line))
  for (const fault of faults) terminal.complain(printable(`  ${fault}`))
  for (const { stream, revision, reason } of problems) terminal.complain(printable(`  ${stream}, event ${revision}: ${reason}`))
  return NOT_DONE
}

const comparedText = (count: number): string => `and so ${count === 1 ? 'does' : 'do'} ${counted(count, 'checkpoint')}`

const skippedText = (count: number): string =>
  `${counted(count, 'checkpoint')} skipped: no key that was given has signed ${count === 1 ? 'it' : 'them'}.`

const tornText = (count: number): string =>
  `${counted(count, 'checkpoint')} skipped: cut off while ${count === 1 ? 'it was' : 'they were'} written, by a full disk or a power cut.`

/** The first line names an event; the second line, if any, names another likely one. */
function linesOf({ kind, seq, upTo, suspect, ...place }: FirstDifference): readonly string[] {
  const which = described({ seq, ...place })
  switch (kind) {
    case 'altered':
      return [`First difference: ${which} is not what was written.`]
    case 'unreadable':
      return [`First difference: ${which} cannot be read.`]
    case 'inserted':
      return [`First difference: ${which} was inserted.`]
    case 'missing':
    case 'swapped': {
      const { stream, revision, at } = place
      const lost = stream === null ? 'an event' : `event ${revision} of stream ${stream}`
      return [
        `First difference: ${lost} is ${kind === 'missing' ? 'missing' : 'not in its place'} before the event with seq ${seq} (${at ?? '?'}).`,
      ]
    }
    case 'truncated':
      return [
        place.stream === null
          ? `First difference: the log ends before seq ${seq}, and had ${upTo} events. Its last event is of ${place.at ?? 'no known time'}.`
          : `First difference: the log ends before ${which}, and had ${upTo} events.`,
      ]
    default: {
      const hint = suspect ? [`  Of these ${described(suspect)} is dated later than the event after it.`] : []
      const range = `at least one event from seq ${seq} to ${upTo} was changed, removed, inserted or swapped`
      return [`First difference: ${range}. The first of them is ${which}.`, ...hint]
    }
  }
}

const described = ({ seq, stream, revision, at }: LogPlace): string =>
  `the event with seq ${seq} (${stream ?? 'unknown stream'}, event ${revision ?? '?'}, ${at ?? 'unknown time'})`

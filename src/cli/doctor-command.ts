/** Implements `doctor`: reports problems of this machine, and their remedies. */
import { columns, counted, printable } from '../process/columns.ts'
import { examine } from '../process/doctor/doctor.ts'
import { DONE, NOT_DONE, type AloneCall, type Command } from './command.ts'

export const doctorCommand: Command = {
  words: 'doctor',
  usage: '',
  summary:
    'looks for what goes wrong in practice (settings, data folder, disk, ffmpeg, port, proxy, limits, clock) and what to do about it',
  takes: [0, 0],
  printsData: true,
  isAlone: true,
  run: doctor,
}

/** Exit code 1 only if a problem prevents the server from working. */
async function doctor({ load, terminal, flags }: AloneCall): Promise<number> {
  const findings = await examine(load())
  const count = (state: string): number => findings.filter((finding) => finding.state === state).length
  const code = count('failed') > 0 ? NOT_DONE : DONE
  if (flags.has('json')) {
    terminal.print(JSON.stringify({ findings }))
    return code
  }
  const rows = findings.flatMap(({ check, state, text, remedy }) => [
    [state, check, printable(text)],
    ...(remedy === undefined ? [] : [['', '', `-> ${printable(remedy)}`]]),
  ])
  for (const line of columns(rows)) terminal.print(line)
  terminal.print('')
  terminal.print(
    code === DONE && count('warning') === 0
      ? 'Nothing is wrong.'
      : `${counted(count('failed'), 'failure')}, ${counted(count('warning'), 'warning')}.`,
  )
  return code
}

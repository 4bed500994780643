/** Implements `doctor`: reports problems of this machine, and their remedies. */
import { columns, counted, printable } from '../process/columns.ts'
import { examine } from '../process/doctor/doctor.ts'
import { DONE, NOT_DONE, printData, type AloneCall, type Command } from './command.ts'

export const doctorCommand: Command = {
  words: 'doctor',
  usage: '',
  summary:
    'looks for what goes wrong in practice (settings, folders of data, films and backups, damaged files, disk, ffmpeg, servers, port, proxy, limits, clock) and what to do about it',
  takes: [0, 0],
  isAlone: true,
  run: doctor,
}

/** Exit code 1 only if a problem prevents the server from working. */
async function doctor(call: AloneCall): Promise<number> {
  const findings = await examine({ loaded: call.load(), askServers: call.askServers, print: (line) => call.terminal.complain(line) })
  printData(call, { findings }, () => linesOf(findings))
  return countOf(findings, 'failed') > 0 ? NOT_DONE : DONE
}

type Findings = Awaited<ReturnType<typeof examine>>

const countOf = (findings: Findings, state: string): number => findings.filter((finding) => finding.state === state).length

function linesOf(findings: Findings): readonly string[] {
  const rows = findings.flatMap(({ check, state, text, remedy }) => [
    [state, check, printable(text)],
    ...(remedy === undefined ? [] : [['', '', `-> ${printable(remedy)}`]]),
  ])
  const [failed, warnings] = [countOf(findings, 'failed'), countOf(findings, 'warning')]
  const sum = failed + warnings === 0 ? 'Nothing is wrong.' : `${counted(failed, 'failure')}, ${counted(warnings, 'warning')}.`
  return [...columns(rows), '', sum]
}

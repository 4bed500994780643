/** Implements `rebuild`: builds a read model again from the log, and waits for its end. */
import { columns } from '../process/columns.ts'
import { asks, sendJson } from './api-request.ts'
import { DONE, NOT_DONE, printData, printProgress, type Call, type Command } from './command.ts'

const PATH = '/v1/admin/projections'
/** No read model: it has no progress to wait for. */
const SNAPSHOTS = 'snapshots'
const LOOK_EVERY_MS = 2_000

export const rebuildCommand: Command = {
  words: 'rebuild',
  usage: '[<read model>]',
  summary: 'builds a read model again from the log while the old one answers; without a name it lists them and their progress',
  takes: [0, 1],
  run: (call) => (call.rest[0] === undefined ? list(call) : rebuild(call, call.rest[0])),
}

/** As the description of the API has it. */
interface Projection {
  readonly name: string
  readonly seq: string
  readonly state: string
  readonly rebuild: { readonly progress: number } | null
}

async function projectionsOf(call: Call): Promise<readonly Projection[] | undefined> {
  const page = (await sendJson(call, asks('GET', PATH))) as { readonly items: readonly Projection[] } | undefined
  return page?.items
}

const percentOf = (progress: number) => `${Math.floor(100 * progress)} %`

async function list(call: Call): Promise<number> {
  const projections = await projectionsOf(call)
  if (!projections) return NOT_DONE
  const rows = projections.map(({ name, seq, state, rebuild: going }) => [name, seq, state, going ? percentOf(going.progress) : ''])
  printData(call, { projections }, () => columns([['READ MODEL', 'EVENT', 'STATE', 'REBUILT'], ...rows]))
  return DONE
}

/** Lists the names if this one is none of them. */
async function refused(call: Call, name: string): Promise<number> {
  const names = [...((await projectionsOf(call)) ?? []).map((one) => one.name), SNAPSHOTS]
  if (!names.includes(name)) call.terminal.complain(`The read models are: ${names.join(', ')}.`)
  return NOT_DONE
}

/** Ctrl-C ends the waiting; a running server goes on with the rebuild. */
async function rebuild(call: Call, name: string): Promise<number> {
  const started = await sendJson(call, asks('POST', `${PATH}/${encodeURIComponent(name)}/rebuild`))
  if (!started) return refused(call, name)
  if (name === SNAPSHOTS) {
    printData(call, {}, () => ['The snapshots are dropped. They are made again when they are needed.'])
    return DONE
  }
  let printed = ''
  for (;;) {
    const projections = await projectionsOf(call)
    if (!projections) return NOT_DONE
    const projection = projections.find((one) => one.name === name)
    if (!projection) {
      call.terminal.complain(`${name} is no longer in the list of read models.`)
      return NOT_DONE
    }
    if (!projection.rebuild) {
      printData(call, projection, () => [`${name} is rebuilt.`])
      return DONE
    }
    const percent = percentOf(projection.rebuild.progress)
    if (percent !== printed) printProgress(call, percent)
    printed = percent
    await call.clock.sleep(LOOK_EVERY_MS, call.signal)
  }
}

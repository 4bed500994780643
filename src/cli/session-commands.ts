/** Implements `session list` and `end`. */
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { columns } from '../process/columns.ts'
import { asks, sendJson } from './api-request.ts'
import { DONE, NOT_DONE, printData, report, type Call, type Command } from './command.ts'

export const sessionCommands: readonly Command[] = [
  {
    words: 'session list',
    usage: '',
    summary: 'lists who plays what now; at most 100 sessions',
    takes: [0, 0],
    needsServer: true,
    run: listSessions,
  },
  {
    words: 'session end',
    usage: '<session id> [--message <text>]',
    summary: 'ends a playback session of any user; the player shows the message',
    takes: [1, 1],
    options: ['message'],
    needsServer: true,
    run: endSession,
  },
]

/** As the description of the API has it. */
interface ActiveSession {
  readonly id: string
  readonly user: { readonly name: string }
  readonly device: string | null
  readonly movie: { readonly title: string }
  readonly playState: string
  readonly position: number
  readonly duration: number
}

async function listSessions(call: Call): Promise<number> {
  const page = (await sendJson(call, asks('GET', '/v1/playback/sessions/active?scope=all&limit=100'))) as
    | { readonly items: readonly ActiveSession[] }
    | undefined
  if (!page) return NOT_DONE
  const rows = page.items.map(({ id, user, device, movie, playState, position, duration }) => [
    id,
    user.name,
    device ?? '-',
    movie.title,
    playState,
    `${clockText(position)} of ${clockText(duration)}`,
  ])
  printData(call, { sessions: page.items }, () =>
    rows.length > 0 ? columns([['ID', 'USER', 'DEVICE', 'FILM', 'STATE', 'POSITION'], ...rows]) : ['Nobody plays anything.'],
  )
  return DONE
}

/** `1:02:03` */
function clockText(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return `${hours}:${String(minutes).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}

async function endSession(call: Call): Promise<number> {
  const [id = ''] = call.rest
  const body = omitUndefined({ message: call.options['message'] })
  const ended = await sendJson(call, asks('POST', `/v1/admin/playback/sessions/${encodeURIComponent(id)}/terminate`, body))
  if (!ended) return NOT_DONE
  return report(call, null, `The session ${id} is ended.`, ended)
}

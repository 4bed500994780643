/** Implements `play`: starts a session for any player, and keeps it alive while this command runs. */
import { isRefusal } from '../domain/refusal.ts'
import type { StartedPlay } from '../app/operator/operator-commands.ts'
import type { Call, Command } from './command.ts'
import { DONE, NOT_DONE, printData, printProgress } from './command.ts'

/** Heartbeat interval that the API documents for players. */
const BEAT_EVERY_MS = 10_000
/** The session survives this many lost heartbeats (120 s by default); after that it has ended. */
const MOST_LOST_BEATS = 11

export const playCommand: Command = {
  words: 'play',
  usage: '<movie title or id>',
  summary: 'prints a URL for any player, and keeps it valid until Ctrl-C',
  takes: [1, 50],
  needsServer: true,
  run: play,
}

async function play(call: Call): Promise<number> {
  const { commands, terminal, rest } = call
  const started = await commands.startPlay(rest.join(' '))
  if (isRefusal(started)) {
    terminal.complain(started.message)
    return NOT_DONE
  }
  invite(call, started)
  const end = await keepAlive(call, started.sessionId)
  if (end !== undefined) {
    terminal.complain(end)
    return NOT_DONE
  }
  await commands.endPlay(started.sessionId)
  printProgress(call, 'The session has ended.')
  return DONE
}

const invite = (call: Call, started: StartedPlay): void =>
  printData(call, started, () => [
    `${started.title}, for any player that knows HLS (mpv, VLC, ffplay, Safari):`,
    ...started.urls.map((url) => `  ${url}`),
    'The address is good while this command runs. Ctrl-C ends the session.',
  ])

/** Sends heartbeats until Ctrl-C (returns undefined), or until the session has ended (returns the reason). */
async function keepAlive({ commands, clock, signal }: Call, sessionId: string): Promise<string | undefined> {
  let lost = 0
  while (lost < MOST_LOST_BEATS) {
    if (!(await pause(clock, signal))) return undefined
    try {
      const refusal = await commands.beatPlay(sessionId)
      if (refusal) return `The server ended the session: ${refusal.message}`
      lost = 0
    } catch {
      lost++
    }
  }
  return 'The connection to the server is lost, and the session is over.'
}

/** False if it was aborted. */
async function pause(clock: Call['clock'], signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(BEAT_EVERY_MS, signal)
    return true
  } catch {
    return false
  }
}

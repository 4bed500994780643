/** Implements `replay`: shows the state of the server at a given time. */
import { isRefusal } from '../domain/refusal.ts'
import type { PastState } from '../app/operator/operator-commands.ts'
import { counted, printable } from '../process/columns.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, type Call, type Command } from './command.ts'

export const replayCommand: Command = {
  words: 'replay',
  usage: '--until <time or seq:number>',
  summary: 'prints what the server knew at a time (2026-01-02T12:00:00Z) or after an event: users, libraries, what was watched',
  takes: [0, 0],
  options: ['until'],
  required: ['until'],
  run: replay,
}

async function replay(call: Call): Promise<number> {
  const { commands, terminal, signal, options } = call
  const state = await commands.replay(options['until'] ?? '', signal)
  if (isRefusal(state)) {
    terminal.complain(`--until ${options['until'] ?? ''}: ${state.message}`)
    return state.refusal === 'invalid' ? NOT_UNDERSTOOD : NOT_DONE
  }
  printData(call, state, () => [...linesOf(state)].map(printable))
  return DONE
}

const HOUR_MS = 3_600_000

function* linesOf({ seq, at, users, libraries, viewings, watchedMs, latest }: PastState): Iterable<string> {
  yield at === null ? 'Nothing had happened yet.' : `After event ${seq}, of ${at}:`
  yield counted(users.length, 'user')
  for (const { name, role, enabled } of users) yield `  ${name}${role === 'admin' ? ', administrator' : ''}${enabled ? '' : ', disabled'}`
  yield libraries.length === 1 ? '1 library' : `${libraries.length} libraries`
  for (const { name, movieCount, missingCount } of libraries) {
    yield `  ${name}: ${counted(movieCount, 'movie')}${missingCount > 0 ? `, ${missingCount} missing` : ''}`
  }
  yield `${counted(viewings, 'viewing')} in the history, ${(watchedMs / HOUR_MS).toFixed(1)} hours watched`
  for (const { name, title, year, startedAt, isOver, percent } of latest) {
    const movie = `${title ?? 'a movie'}${year === null ? '' : ` (${year})`}`
    yield `  ${startedAt}  ${name}: ${movie}${percent === null ? '' : `, ${percent} %`}${isOver ? '' : ', going on'}`
  }
}

/** The operator's commands, carried out by the server that listens on a command socket. */
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import type { CallOptions } from './call.ts'
import { callServer } from './call.ts'
import type { SocketPlace } from './socket-place.ts'

/** A heartbeat that waits longer than this has missed its time. */
const BEAT_SILENCE_MS = 9000

/** @throws NobodyListens no server runs there */
export async function reachServer(place: SocketPlace): Promise<OperatorCommands> {
  await callServer(place, { command: 'hello', input: {} })
  return remoteCommands(place)
}

function remoteCommands(place: SocketPlace): OperatorCommands {
  // The codec of the socket: the server answers each command as the interface declares.
  const call = async <Result>(command: keyof OperatorCommands, input: object = {}, options: CallOptions = {}): Promise<Result> =>
    (await callServer(place, { command, input }, options)) as Result
  return {
    callApi: (ask, signal) => call('callApi', ask, { signal }),
    addUser: (account) => call('addUser', account),
    listUsers: () => call('listUsers'),
    setPassword: (change) => call('setPassword', change),
    grantLibraries: (grant) => call('grantLibraries', grant),
    enableUser: (change) => call('enableUser', change),
    resetSecondFactor: (who) => call('resetSecondFactor', who),
    eraseUser: (who) => call('eraseUser', who),
    addToken: (ask) => call('addToken', ask),
    listTokens: (who) => call('listTokens', who),
    revokeToken: (which) => call('revokeToken', which),
    importHistory: (ask) => call('importHistory', ask),
    undoImport: (which) => call('undoImport', which),
    listLibraries: () => call('listLibraries'),
    addLibrary: (library) => call('addLibrary', library),
    scanLibrary: (name, step, signal) => call('scanLibrary', { name }, { step: step as (value: unknown) => void, signal }),
    startPlay: (name) => call('startPlay', { name }),
    beatPlay: (sessionId) => call('beatPlay', { sessionId }, { silenceMs: BEAT_SILENCE_MS }),
    endPlay: (sessionId) => call('endPlay', { sessionId }),
    replay: (until, signal) => call('replay', { until }, { signal }),
    backup: (ask, step, signal) => call('backup', ask, { step: step as (value: unknown) => void, signal }),
    rotateCheckpointKey: () => call('rotateCheckpointKey'),
    verify: (ask, step, signal) => call('verify', ask, { step: step as (value: unknown) => void, signal }),
  }
}

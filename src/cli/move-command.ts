/** Implements `move-log`: moves the log and what belongs to it to another engine. */
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { documentEngine, eventLogEngine, withoutPassword } from '../config/engine-addresses.ts'
import { isWrong, type Reader } from '../config/reading.ts'
import { counted } from '../process/columns.ts'
import type { LogHome, MovedLog } from '../process/move-log.ts'
import { DONE, NOT_DONE, NOT_UNDERSTOOD, printData, printProgress, type AloneCall, type Command } from './command.ts'
import { readGivenFile } from './given-file.ts'

export const moveCommand: Command = {
  words: 'move-log',
  usage: '<from> <to> [--from-vault <address>] [--to-vault <address>] [--from-blobs <folder>] [--to-blobs <folder>] [--finish]',
  summary:
    'copies the log to another engine (a data folder, or esdb://host:2113) while the server runs; --finish, once it is stopped, verifies both and moves vault and uploads',
  takes: [2, 2],
  options: ['from-vault', 'to-vault', 'from-blobs', 'to-blobs'],
  flags: ['finish'],
  isAlone: true,
  run: moveLog,
}

type Place = LogHome['log']

/** The two ends, or what is wrong with the arguments. */
type Ends = Pick<Parameters<AloneCall['moveLog']>[0], 'from' | 'to'>

async function moveLog(call: AloneCall): Promise<number> {
  const { terminal, signal, flags } = call
  const loaded = call.load()
  if ('problems' in loaded) {
    for (const line of loaded.problems) terminal.complain(line)
    return NOT_DONE
  }
  const ends = endsOf(call, loaded.config)
  if (typeof ends === 'string') {
    terminal.complain(ends)
    return NOT_UNDERSTOOD
  }
  const print = (line: string): void => printProgress(call, line)
  const moved = await call.moveLog({ ...ends, isLastStep: flags.has('finish'), print, signal })
  if ('problem' in moved) {
    terminal.complain(`The log is not moved. ${moved.problem}.`)
    return NOT_DONE
  }
  const settings = settingsFor(ends, loaded.config, moved)
  printData(call, { ...moved, ...(moved.moved ? { settings } : {}) }, () => linesOf(ends, moved, settings))
  return DONE
}

function endsOf(call: AloneCall, config: Config): Ends | string {
  const [from, to] = call.rest.map((text) => placeIn(call, text, eventLogEngine, config))
  if (!from || typeof from === 'string') return `<from> is invalid: ${from}.`
  if (!to || typeof to === 'string') return `<to> is invalid: ${to}.`
  if (same(from, to)) return 'The log is there already: <from> and <to> are the same place.'
  const fromVault = vaultOf(call, 'from-vault', from, config)
  const toVault = vaultOf(call, 'to-vault', to, config)
  if (typeof fromVault === 'string') return fromVault
  if (typeof toVault === 'string') return toVault
  const { folder, options } = call
  const given = (name: string): string | undefined => (options[name] === undefined ? undefined : resolve(folder, options[name]))
  const fromBlobs = given('from-blobs') ?? blobsOf(from, config) ?? ownBlobs(config)
  const toBlobs = given('to-blobs') ?? blobsOf(to, config) ?? fromBlobs
  return { from: { log: from, vault: fromVault, blobs: fromBlobs }, to: { log: to, vault: toVault, blobs: toBlobs } }
}

const same = (a: Place, b: Place): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `sqlite:` is the data folder of the settings, `@<file>` an address in a file: arguments are in the list of processes. */
function placeIn({ folder }: AloneCall, given: string, server: Reader<string>, config: Config): Place | string {
  const text = given.startsWith('@') ? addressIn(resolve(folder, given.slice(1))) : given
  if (text === 'sqlite:') return { folder: config.dataDir }
  if (text.startsWith('sqlite:')) return { folder: resolve(folder, text.slice('sqlite:'.length)) }
  if (!text.includes('://')) return { folder: resolve(folder, text) }
  const address = server(text, folder)
  return isWrong(address) ? `give a data folder, ${address.wanted}` : { server: address }
}

const addressIn = (file: string): string => readGivenFile(file, 'The address', 'Give a file that holds it in one line').trim()

function vaultOf(call: AloneCall, option: 'from-vault' | 'to-vault', log: Place, config: Config): Place | string {
  const given = call.options[option]
  if (given !== undefined) {
    const place = placeIn(call, given, documentEngine('mongodb://host:27017/marquee_vault'), config)
    return typeof place === 'string' ? `--${option} is invalid: ${place}.` : place
  }
  if (isOfSettings(log, config)) return config.vault === 'sqlite:' ? { folder: config.dataDir } : { server: config.vault }
  return 'folder' in log ? log : `--${option} is missing: give the vault of ${option.startsWith('from') ? '<from>' : '<to>'}.`
}

/** Whether it is the log that MARQUEE_EVENT_LOG names. */
const isOfSettings = (log: Place, { eventLog, dataDir }: Config): boolean =>
  'folder' in log ? eventLog === 'sqlite:' && log.folder === dataDir : log.server === eventLog

const ownBlobs = ({ blobs, dataDir }: Config): string => blobs ?? join(dataDir, 'blobs')

/** Undefined for a server that the settings do not name. */
function blobsOf(log: Place, config: Config): string | undefined {
  if (isOfSettings(log, config)) return ownBlobs(config)
  return 'folder' in log ? join(log.folder, 'blobs') : undefined
}

/** A value that is undefined: to be left out. */
function settingsFor({ from, to }: Ends, config: Config, { moved }: MovedLog): Readonly<Record<string, string>> {
  const dataDir = 'folder' in to.log ? to.log.folder : 'folder' in to.vault ? to.vault.folder : undefined
  const settings = {
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_EVENT_LOG: 'folder' in to.log ? 'sqlite:' : withoutPassword(to.log.server),
    MARQUEE_VAULT: 'folder' in to.vault ? 'sqlite:' : withoutPassword(to.vault.server),
    MARQUEE_READ_STORE: 'folder' in to.log && 'server' in from.log ? 'sqlite:' : undefined,
    MARQUEE_BLOBS: dataDir !== undefined && to.blobs === join(dataDir, 'blobs') ? undefined : to.blobs,
    MARQUEE_SECRET: config.secret === undefined && moved?.secretFile !== undefined ? `<the content of ${moved.secretFile}>` : undefined,
  }
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function linesOf({ from, to }: Ends, { events, added, moved }: MovedLog, settings: Readonly<Record<string, string>>): readonly string[] {
  const copied = `${counted(events, 'event')} at both ends, ${added} of them new there.`
  if (!moved)
    return [
      copied,
      'Nothing has changed for the server. When you want to switch: stop every program of this installation, and run the same command with --finish.',
    ]
  const old = 'folder' in from.log ? from.log.folder : withoutPassword(from.log.server)
  return [
    copied,
    `The log is moved and verified: every chain holds, and both ends have the root ${moved.root}.`,
    `${counted(moved.uploads, 'upload')} copied. Its checkpoint, to be kept elsewhere:\n${moved.checkpoint}`,
    'Start the server with these settings:',
    ...Object.entries(settings).map(([name, value]) => `  ${name}=${value}`),
    ...('folder' in to.log
      ? ['MARQUEE_BUS may be local: again. Keep MARQUEE_SECRET as it is.']
      : [
          'MARQUEE_READ_STORE and MARQUEE_BUS may stay as they are for one process; several need them on servers. Every API node needs the same MARQUEE_SECRET.',
        ]),
    `The log of ${old} is as it was. Never start a server on it again: it would go on as another log. Its vault opens what is erased from now on, so destroy both once the new place works.`,
  ]
}

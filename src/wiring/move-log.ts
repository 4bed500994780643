/**
 * Moves a log to another engine: copies it while the server runs, and in the last step, when nothing writes to it any more, verifies both
 * ends and moves what belongs to it. The old place is only read. In a data folder the log is filled beside its place and put there last; on a
 * server it comes first, and no server starts with a log whose vault is missing.
 */
import { cpSync, existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connectMongo } from '../adapters/mongodb/connection.ts'
import { createMongoVault } from '../adapters/mongodb/vault.ts'
import { createEsdbEventLog } from '../adapters/esdb/event-log.ts'
import { createSystemClock } from '../adapters/node/clock.ts'
import { writeDurably } from '../adapters/shared/durable-file.ts'
import { makeFolderSync } from '../adapters/shared/make-folder.ts'
import { copySqliteEventLog, openSqliteEventLogCopy } from '../adapters/sqlite/event-log-copy.ts'
import { createSqliteLogFiller } from '../adapters/sqlite/event-log-fill.ts'
import { lockFolder } from '../adapters/sqlite/folder-lock.ts'
import { createSqliteVault } from '../adapters/sqlite/vault.ts'
import { digestOfVault } from '../app/accounts/installation.ts'
import { NAMES_SECRET } from '../app/accounts/name-claims.ts'
import { createNoteKeys } from '../app/audit/note-keys.ts'
import { signedCheckpoint } from '../app/audit/signed-note.ts'
import { addToServer, copyLog, type CopiedLog, type LogToFill, type LogToRead } from '../app/backup/copy-log.ts'
import { faultOfCopy } from './copy-verification.ts'
import { withoutPassword } from '../config/engine-addresses.ts'
import { isRefusal, refuse, type Refusal } from '../domain/refusal.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Vault, VaultContents } from '../ports/vault.ts'
import { dataFolderAt, interruptedRestore, JOURNALS } from '../process/data-folder.ts'
import type { LogHome, MovedLog, MoveLog, MoveLogAsk } from '../process/move-log.ts'
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { filesIn } from './backup-stores.ts'
import { storedSecret } from './signing-secrets.ts'

const LOCK_WAIT_MS = 1_000
/** Folder in which a log is filled, within the data folder. */
const STAGING = 'moving'

export const moveLog: MoveLog = async (ask) => {
  const opened: Closing[] = []
  try {
    const moved = await move(ask, opened)
    return isRefusal(moved) ? { problem: moved.message } : moved
  } finally {
    for (const one of opened.toReversed()) await one.close()
  }
}

interface Closing {
  close(): Promise<void> | void
}

interface Source extends LogToRead, Closing {}

interface Target extends LogToFill, Closing, Pick<EventLog, 'inspect'> {
  readonly isGapless: boolean
  /** Puts it where a server finds it. */
  takePlace(this: void): Promise<void> | undefined
}

async function move(ask: MoveLogAsk, opened: Closing[]): Promise<MovedLog | Refusal> {
  const { from, isLastStep, signal, print } = ask
  const locked = isLastStep ? lockFolders(ask, opened) : undefined
  if (locked) return locked
  const source = openSource(ask)
  if (isRefusal(source)) return source
  opened.push(source)
  const target = openTarget(ask, opened)
  if (isRefusal(target)) return target
  opened.push(target)
  const step = (events: number): void => print(`${events} events so far`)
  const copied = await copyLog({ from: source, to: target, step, signal })
  if (isRefusal(copied)) return copied
  const { tree, added } = copied
  if (tree.size === 0) return refuse('not-found', `The log of ${nameOf(from.log)} has no events`)
  if (!isLastStep) return { events: tree.size, added }
  return (await faultOf(ask, { source, target, copied })) ?? finish(ask, target, copied)
}

/** So that no server runs on them, or starts meanwhile. */
function lockFolders({ from, to }: MoveLogAsk, opened: Closing[]): Refusal | undefined {
  const read = [from.log, from.vault].flatMap((place) =>
    'folder' in place && existsSync(place.folder) ? [realpathSync(place.folder)] : [],
  )
  const written = [to.log, to.vault].flatMap((place) => ('folder' in place ? [place.folder] : []))
  for (const path of written) makeFolderSync(path)
  for (const dataDir of new Set([...read, ...written.map((path) => realpathSync(path))])) {
    const lock = lockFolder(dataFolderAt(dataDir).lock, { waitMs: LOCK_WAIT_MS })
    if (!lock) return refuse('conflict', `A server runs on ${dataDir}: stop it, and run the last step again`)
    opened.push({ close: () => lock.release() })
    const interrupted = interruptedRestore(dataFolderAt(dataDir))
    if (interrupted !== undefined) return refuse('conflict', interrupted.replace(/\.$/, ''))
  }
  return undefined
}

function openSource({ from: { log } }: MoveLogAsk): Source | Refusal {
  if ('server' in log) return createEsdbEventLog({ url: log.server, clock: createSystemClock(), onError: report })
  const file = dataFolderAt(log.folder).eventLog
  return existsSync(file) ? openSqliteEventLogCopy(file, { isWritten: true }) : refuse('not-found', `There is no event log ${file}`)
}

const report = (cause: unknown): void => console.error(cause instanceof Error ? cause.message : String(cause))

function openTarget({ to, signal }: MoveLogAsk, opened: Closing[]): Target | Refusal {
  if ('folder' in to.log) return openFolder(to.log.folder, opened)
  const clock = createSystemClock()
  const log = createEsdbEventLog({ url: to.log.server, clock, onError: report })
  return { ...log, isGapless: false, add: addToServer({ log, clock, signal }), takePlace: () => undefined }
}

/** A server whose log is elsewhere may run on this folder until the last step. */
function openFolder(path: string, opened: Closing[]): Target | Refusal {
  const existing = dataFolderAt(path).eventLog
  const staging = dataFolderAt(join(path, STAGING))
  makeFolderSync(staging.path)
  const lock = lockFolder(staging.lock, { waitMs: LOCK_WAIT_MS })
  if (!lock) return refuse('conflict', `Another move to ${path} is running`)
  opened.push({ close: () => lock.release() })
  const file = staging.eventLog
  if (!existsSync(file) && existsSync(existing)) {
    // The beginning of the same log, if it was moved away from here.
    rmSync(`${file}.part`, { force: true })
    copySqliteEventLog(existing, `${file}.part`)
    renameSync(`${file}.part`, file)
  }
  const filler = createSqliteLogFiller(file)
  const reader = openSqliteEventLogCopy(file, { isWritten: true })
  let isOpen = true
  async function close(): Promise<void> {
    if (!isOpen) return
    isOpen = false
    await reader.close()
    filler.close()
  }
  return {
    ...reader,
    isGapless: true,
    add: async (events) => filler.add(events),
    close,
    async takePlace() {
      await close()
      // The log itself is replaced in one step: a folder without one would become a new installation.
      for (const end of JOURNALS) if (end !== '') rmSync(`${existing}${end}`, { force: true })
      renameSync(file, existing)
      rmSync(staging.path, { recursive: true, force: true })
    },
  }
}

interface Ends {
  readonly source: Source
  readonly target: Target
  readonly copied: CopiedLog
}

/** A log that is in the place must be part of the new one: what only it has would be lost. */
async function hasMore({ to }: MoveLogAsk, target: Target, signal: AbortSignal): Promise<boolean> {
  const existing = 'folder' in to.log ? dataFolderAt(to.log.folder).eventLog : undefined
  if (existing === undefined || !existsSync(existing)) return false
  const log = openSqliteEventLogCopy(existing, { isWritten: true })
  try {
    return isRefusal(await copyLog({ from: target, to: { ...log, add: async () => {} }, step: () => {}, signal }))
  } finally {
    await log.close()
  }
}

/** Why the copy must not be used: its chains, its tree, its file; or the source has gone on. */
async function faultOf(ask: MoveLogAsk, { source, target, copied }: Ends): Promise<Refusal | undefined> {
  const { from, to, print, signal } = ask
  print('Verifying the event log')
  const { tree } = copied
  const fault = await faultOfCopy(target, { checkpoints: [tree], events: tree.size, gapless: target.isGapless, signal })
  if (fault !== undefined) return refuse('invalid', `The log at ${nameOf(to.log)} does not verify. ${fault}`)
  if (await hasMore(ask, target, signal)) return refuse('conflict', `The log that is in ${nameOf(to.log)} is not the beginning of this one`)
  const isStill = (await source.head()) === copied.head
  const still = `Something still writes to the log of ${nameOf(from.log)}: stop every program, and run the last step again`
  return isStill ? undefined : refuse('conflict', still)
}

async function finish(ask: MoveLogAsk, target: Target, copied: CopiedLog): Promise<MovedLog | Refusal> {
  const { from, to } = ask
  const checkpoint = await moveVault(ask, copied)
  if (isRefusal(checkpoint)) return checkpoint
  const uploads = await copyUploads(from.blobs, to.blobs)
  const secretFile = moveSecret(ask)
  await target.takePlace()
  const { tree, added } = copied
  const root = Buffer.from(tree.root).toString('hex')
  return { events: tree.size, added, moved: { root, checkpoint, uploads, ...omitUndefined({ secretFile }) } }
}

/** Gives the checkpoint of the moved log, signed with the keys that have moved. */
async function moveVault({ from, to }: MoveLogAsk, { tree, vault: digest }: CopiedLog): Promise<string | Refusal> {
  const file = 'folder' in from.vault ? dataFolderAt(from.vault.folder).vault : undefined
  if (file !== undefined && !existsSync(file))
    return refuse('not-found', `There is no vault ${file}: name the vault of the log with --from-vault`)
  const contents = await withVault(from.vault, (vault) => vault.contents())
  const names = namesIn(contents)
  if (digest !== undefined && (names === undefined || digestOfVault(names) !== digest))
    return refuse('conflict', `The vault of ${nameOf(from.vault)} is not the one of this log: name that with --from-vault`)
  return withVault(to.vault, async (vault) => {
    const there = await vault.contents()
    if (!isPartOf(there, contents))
      return refuse('conflict', `The vault of ${nameOf(to.vault)} belongs to another installation: name an empty one`)
    if (placeOf(from.vault) !== placeOf(to.vault)) await vault.replaceContents(contents)
    const [newest, ...before] = await createNoteKeys(vault).keys()
    return signedCheckpoint(tree, newest, ...before.slice(0, 1))
  })
}

/** A run that was interrupted has left some keys, but no secrets. The vault from which a log was moved away has the same secret of names. */
function isPartOf(there: VaultContents, contents: VaultContents): boolean {
  const [others, names] = [namesIn(there), namesIn(contents)]
  if (others !== undefined) return names !== undefined && Buffer.compare(others, names) === 0
  const subjects = new Set(contents.keys.map(({ subject }) => subject))
  return there.keys.every(({ subject }) => subjects.has(subject))
}

const namesIn = ({ secrets }: VaultContents): Uint8Array | undefined => secrets.find(({ name }) => name === NAMES_SECRET)?.secret

async function withVault<Result>(place: LogHome['vault'], work: (vault: Vault) => Promise<Result>): Promise<Result> {
  const connection = 'server' in place ? connectMongo({ url: place.server, clock: createSystemClock() }) : undefined
  const vault =
    'folder' in place ? createSqliteVault({ file: dataFolderAt(place.folder).vault }) : connection && createMongoVault({ connection })
  if (!vault) throw new Error('A vault is in a folder or on a server')
  try {
    return await work(vault)
  } finally {
    await vault.close()
    await connection?.close()
  }
}

/** Adds what is not there. */
async function copyUploads(from: string, to: string): Promise<number> {
  if (from === to) return 0
  const [source, target] = [dataFolderAt('', from).lasting, dataFolderAt('', to).lasting]
  let count = 0
  for await (const { path } of filesIn(source)) {
    const place = join(target, path)
    makeFolderSync(dirname(place))
    cpSync(join(source, path), `${place}.part`)
    renameSync(`${place}.part`, place)
    count++
  }
  return count
}

/** Between data folders it moves along; gives the file if the settings have to name its content. */
function moveSecret({ from, to }: MoveLogAsk): string | undefined {
  const source = 'folder' in from.log ? dataFolderAt(from.log.folder) : undefined
  const secret = source && storedSecret(source)
  if (secret === undefined) return undefined
  if (!('folder' in to.log)) return source?.secret
  writeDurably(dataFolderAt(to.log.folder).secret, secret)
  return undefined
}

const placeOf = (place: LogHome['vault']): string => ('folder' in place ? realpathSync(place.folder) : place.server)

const nameOf = (place: LogHome['log']): string => ('folder' in place ? place.folder : withoutPassword(place.server))

/**
 * Backup store in one file, a tar archive, with the vault's keys in a second one beside it (`<file>.vault`), so that they can be kept
 * elsewhere and destroyed alone. It is written under another name and takes its own when it is complete.
 */
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BackupStore } from '../../ports/backup-store.ts'
import { syncFolder } from './backup-folder.ts'
import { BLOCK, paddingOf, readTarHeader, tarHeader } from './tar.ts'

const OWNER_ONLY = 0o600
const UNFINISHED = '.unfinished'
/** Names of the files that go into the second archive. */
const VAULT = 'vault/'

interface Place {
  readonly start: number
  readonly sizeBytes: number
}

interface Archive {
  readonly file: FileHandle
  readonly index: Map<string, Place>
  end: number
}

/** A new file; one of that name is replaced when this one is complete. */
export async function createBackupFile(path: string): Promise<BackupStore> {
  const main = await begin(`${path}${UNFINISHED}`)
  const vault = await begin(`${path}.vault${UNFINISHED}`).catch(async (cause: unknown) => {
    await main.file.close()
    throw cause
  })
  const archives = [main, vault]
  const paths = [path, `${path}.vault`]
  const of = (name: string): Archive => (name.startsWith(VAULT) ? vault : main)
  return {
    ...reading(of, archives),
    write: (name, bytes) => append(of(name), name, bytes),
    async remove() {
      throw new Error('A backup in one file is written once')
    },
    async close(complete) {
      let isDone = false
      try {
        if (complete) for (const archive of archives) await finish(archive)
        isDone = complete
      } finally {
        for (const { file } of archives) await file.close()
        if (!isDone) for (const one of paths) await rm(`${one}${UNFINISHED}`, { force: true })
      }
      if (!isDone) return
      for (const one of paths.toReversed()) await rename(`${one}${UNFINISHED}`, one)
      await syncFolder(dirname(path))
    },
  }
}

/** @throws Error it is damaged, ends too early, or is no backup */
export async function openBackupFile(path: string): Promise<BackupStore> {
  const main = await read(path)
  const hasVault = (await stat(`${path}.vault`).catch(() => undefined)) !== undefined
  const vault = hasVault ? await read(`${path}.vault`) : undefined
  const readOnly = async (): Promise<never> => {
    throw new Error('This backup is only read')
  }
  return {
    ...reading((name) => (name.startsWith(VAULT) ? vault : main), vault ? [main, vault] : [main]),
    write: readOnly,
    remove: readOnly,
    async close() {
      await main.file.close()
      await vault?.file.close()
    },
  }
}

function reading(
  of: (name: string) => Archive | undefined,
  archives: readonly Archive[],
): Pick<BackupStore, 'keepsEarlier' | 'read' | 'has' | 'list'> {
  return {
    keepsEarlier: false,
    async read(name) {
      const archive = of(name)
      const place = archive?.index.get(name)
      return archive && place ? bytesAt(archive.file, place) : undefined
    },
    has: async (name) => of(name)?.index.has(name) === true,
    list: async (prefix) => archives.flatMap(({ index }) => [...index.keys()].filter((name) => name.startsWith(prefix))).toSorted(),
  }
}

const begin = async (path: string): Promise<Archive> => ({ file: await open(path, 'w+', OWNER_ONLY), index: new Map(), end: 0 })

/** Reads name their place, so the file's own position stays at its end. `appendFile` writes all, or throws if the disk is full. */
async function append(archive: Archive, name: string, bytes: Uint8Array): Promise<void> {
  const start = archive.end + BLOCK
  const padding = Buffer.alloc(paddingOf(bytes.length))
  for (const part of [tarHeader(name, bytes.length), bytes, padding]) await archive.file.appendFile(part)
  archive.end = start + bytes.length + padding.length
  archive.index.set(name, { start, sizeBytes: bytes.length })
}

async function finish({ file }: Archive): Promise<void> {
  await file.appendFile(Buffer.alloc(2 * BLOCK))
  await file.sync()
}

async function read(path: string): Promise<Archive> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const index = new Map<string, Place>()
    let end = 0
    for (;;) {
      // Two blocks of zeros end the file: without them it was cut off.
      if (end + 2 * BLOCK > size) throw new Error('It ends too early: it is only a part of a backup')
      const header = readTarHeader(await bytesAt(file, { start: end, sizeBytes: BLOCK }))
      if (!header) return { file, index, end }
      const start = end + BLOCK
      index.set(header.name, { start, sizeBytes: header.sizeBytes })
      end = start + header.sizeBytes + paddingOf(header.sizeBytes)
    }
  } catch (cause) {
    await file.close()
    throw new Error(`${path} cannot be restored. ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  }
}

async function bytesAt(file: FileHandle, { start, sizeBytes }: Place): Promise<Uint8Array> {
  const bytes = Buffer.alloc(sizeBytes)
  const { bytesRead } = await file.read(bytes, 0, sizeBytes, start)
  if (bytesRead < sizeBytes) throw new Error('It ends too early: it is only a part of a backup')
  return bytes
}

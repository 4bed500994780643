/** Removes old backups of a folder, what only they held, and what interrupted ones left. */
import { isRefusal } from '../../domain/refusal.ts'
import { backupsAsMade, CONTENT, manifestName, readManifest, vaultName, VAULTS } from './backup-format.ts'
import { stored, type BackupPlace } from './backup-place.ts'

export interface Pruned {
  /** Old backups that were removed. */
  readonly removed: number
  /** Why old backups stay, and what to do; null if none had to. */
  readonly pruneProblem: string | null
}

/**
 * Keeps the `keep` that were made last. The manifests go first, so that a crash leaves no backup that lacks a piece. Nothing is removed if a
 * backup that stays cannot be read: nobody knows what it needs.
 */
export async function pruneBackups(place: BackupPlace, keep: number): Promise<Pruned> {
  const { store } = place
  const made = await backupsAsMade(store)
  const [old, kept] = [made.slice(0, -keep), made.slice(-keep)]
  if (old.length === 0) return { removed: 0, pruneProblem: null }
  const needed = new Set<string>()
  for (const { id } of kept) {
    const manifest = await readManifest(store, id)
    if (isRefusal(manifest))
      return { removed: 0, pruneProblem: `${manifestName(id)} cannot be read. If that backup is lost, delete the file` }
    for (const { name } of [...manifest.log, ...manifest.blobs]) needed.add(name)
    needed.add(stored(place, vaultName(id)))
  }
  for (const { id } of old) await store.remove(manifestName(id))
  for (const folder of [VAULTS, ...CONTENT]) for (const name of await store.list(folder)) if (!needed.has(name)) await store.remove(name)
  return { removed: old.length, pruneProblem: null }
}

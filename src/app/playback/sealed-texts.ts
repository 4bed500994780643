/** Seals and opens texts of sessions with the viewer's key. */
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { SessionDocument } from '../../../projections/views/playback-sessions.ts'
import type { UserId } from '../../vocabulary/id.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ClientName } from './playback-types.ts'

/** Commands as the player receives them. */
export const openedCommands = (sealer: Sealer, { commands }: SessionDocument) =>
  Promise.all(
    commands.map(async ({ id, command, message }) => ({ id, command, message: message && ((await sealer.open(message)) ?? null) })),
  )

/** The sealed client, and a digest of its name by which viewings can be found and counted. */
export async function sealedClient(sealer: Sealer, userId: UserId, client: ClientName | undefined) {
  if (!client) return { client: null }
  const sealed = await sealer.seal(userId, JSON.stringify(client))
  const clientKey = client.name === null ? undefined : await sealer.digest(userId, client.name)
  return { client: sealed, ...omitUndefined({ clientKey }) }
}

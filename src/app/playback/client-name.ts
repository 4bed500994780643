/** Reads the name of a session's client, which is stored encrypted. */
import type { Sealed } from '../../events/sealed.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ClientName } from './playback-types.ts'

/** Its device, or else its program; null if it gave neither, or if the viewer's key was destroyed. */
export async function deviceOf({ open }: Pick<Sealer, 'open'>, client: Sealed | null): Promise<string | null> {
  const text = client && (await open(client))
  if (!text) return null
  const { device, name } = JSON.parse(text) as ClientName
  return device ?? name
}

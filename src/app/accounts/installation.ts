/** Checks whether the vault and the signing secret of this process belong to its log. */
import { createHmac } from 'node:crypto'
import { INSTALLATION_STREAM } from '../../events/streams.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { adoptSecret, adoptVault, installation } from '../../domain/installation.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Access } from '../access/access.ts'
import type { CommandHandler } from '../commands/command-handler.ts'
import { NAMES_SECRET } from './name-claims.ts'

export interface Installation {
  /** A message for the administrator about the wrong vault; undefined if it is the right one. Call it before anything is sealed. */
  faultOfVault(print: (line: string) => void): Promise<string | undefined>
  /** The same for the secret that nodes share; `previous` is the secret that it replaces. */
  faultOfSecret(secret: string, previous: string | undefined): Promise<string | undefined>
}

export interface InstallationDependencies {
  readonly access: Pick<Access, 'users'>
  readonly commandHandler: CommandHandler
  readonly vault: Vault
}

const TARGET = { stream: INSTALLATION_STREAM, decider: installation }

const MISSING =
  'The vault (MARQUEE_VAULT; vault.sqlite in the data folder) is missing or empty, but the event log is not: without it nobody can sign in, ' +
  'and no name can be read. Restore it from its backup, then start again. Nothing was changed.'
const LOG_MISSING =
  'The event log (MARQUEE_EVENT_LOG; events.sqlite in the data folder) is empty, but the vault is not. If the log was lost, stop now and ' +
  'restore it from its backup: this start begins a new one, with a new first account.'
const OTHER =
  'The vault (MARQUEE_VAULT; vault.sqlite in the data folder) is not the one that this event log was written with. ' +
  'Give both from the same installation, then start again. Nothing was changed.'
const OTHER_SECRET =
  'MARQUEE_SECRET is not the secret of the other nodes. Give every node the same one; to replace it, give the new one as MARQUEE_SECRET ' +
  'and the one before as MARQUEE_PREVIOUS_SECRET.'

export function createInstallation({ access, commandHandler, vault }: InstallationDependencies): Installation {
  return {
    async faultOfVault(print) {
      const known = (await commandHandler.load(TARGET)).vault !== null
      const isNew = !known && access.users.size === 0
      const isThere = await vault.hasSecret(NAMES_SECRET)
      if (!isNew && !isThere) return MISSING
      if (isNew && isThere) print(LOG_MISSING)
      const digest = digestOfVault(await vault.secret(NAMES_SECRET))
      const adopted = await commandHandler.execute(TARGET, adoptVault(digest), { actor: 'system', command: 'adoptVault' })
      return isRefusal(adopted) ? OTHER : undefined
    },
    async faultOfSecret(secret, previous) {
      const before = previous === undefined ? undefined : digestOf(previous, 'signing secret')
      const decide = adoptSecret(digestOf(secret, 'signing secret'), before)
      const adopted = await commandHandler.execute(TARGET, decide, { actor: 'system', command: 'adoptSigningSecret' })
      return isRefusal(adopted) ? OTHER_SECRET : undefined
    },
  }
}

/** What `VaultAdopted` names a vault by; from its secret of that name. */
export const digestOfVault = (names: Uint8Array): string => digestOf(names, 'vault')

const digestOf = (key: Uint8Array | string, what: string): string => createHmac('sha256', key).update(`marquee ${what}`).digest('hex')

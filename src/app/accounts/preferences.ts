/** Keeps a JSON object of preferences per user, shared by all clients. It is sealed with the user's key, and nobody else reads it. */
import type { JsonObject } from '../../events/envelope.ts'
import type { UserId } from '../../vocabulary/id.ts'
import { userStream } from '../../events/streams.ts'
import { changePreferences, preferencesFault } from '../../domain/accounts/preferences.ts'
import { user } from '../../domain/accounts/user.ts'
import { isRefusal, type Refusal } from '../../domain/refusal.ts'
import type { Caller, RequestOrigin } from '../access/caller.ts'
import { byUser, type CommandHandler } from '../commands/command-handler.ts'
import type { Sealer } from '../commands/sealer.ts'
import type { ReadYourWrites } from '../consistency/read-your-writes.ts'
import type { ReadModels } from '../read-models/read-models.ts'

export interface Preferences {
  /** Empty until the user has stored some. */
  get(this: void, userId: UserId): Promise<JsonObject>
  /** Replaces them; returns the stored ones. Refusals: `invalid` (too large), `changed`, `not-found`. */
  put(this: void, caller: Caller, preferences: JsonObject, origin: RequestOrigin): Promise<JsonObject | Refusal>
}

export interface PreferencesDependencies {
  readonly commandHandler: CommandHandler
  readonly readModels: Pick<ReadModels, 'preferences'>
  readonly readYourWrites: ReadYourWrites
  readonly sealer: Sealer
}

const NONE = '{}'

export function createPreferences({ commandHandler, readModels, readYourWrites, sealer }: PreferencesDependencies): Preferences {
  /** As JSON; empty once the user's key is destroyed. */
  async function storedOf(userId: UserId): Promise<string> {
    const document = await readModels.preferences.get(userId)
    return (document && (await sealer.open(document.preferences))) ?? NONE
  }

  return {
    get: async (userId) => parsed(await storedOf(userId)),

    async put({ userId }, preferences, origin) {
      const json = JSON.stringify(preferences)
      const fault = preferencesFault(json)
      if (fault) return fault
      if (json === (await storedOf(userId))) return parsed(json)
      const decide = changePreferences(userId, await sealer.seal(userId, json))
      const target = { stream: userStream(userId), decider: user }
      const result = await commandHandler.execute(target, decide, byUser(userId, 'changePreferences', origin))
      if (isRefusal(result)) return result
      await readYourWrites.waitFor(result.position)
      return parsed(json)
    },
  }
}

const parsed = (json: string): JsonObject => JSON.parse(json) as JsonObject

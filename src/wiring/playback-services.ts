/** The services of playback: sessions, and who may have the bytes. */
import type { Accounts } from '../app/accounts/accounts.ts'
import type { Trickplay } from '../app/derived-media/trickplay.ts'
import { createAudioGains } from '../app/playback/audio-gain.ts'
import { createExplainMissing, explainMissingAlone } from '../app/playback/missing-sessions.ts'
import { createPlayback } from '../app/playback/playback.ts'
import { createSessionHost } from '../app/playback/session-host.ts'
import { createStreamAccess } from '../app/playback/stream-access.ts'
import { playback as playbackDecider } from '../domain/playback/playback.ts'
import { playbackStream } from '../events/streams.ts'
import { parseId } from '../vocabulary/id.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

interface PlaybackServicesDependencies extends Foundation {
  readonly accounts: Accounts
  readonly trickplay: Trickplay
}

export function createPlaybackServices(deps: PlaybackServicesDependencies, options: ServiceOptions) {
  const { access, accounts, commandHandler, readModels } = deps
  const { ports, streams, node, idleSeconds, secrets, onError } = options
  const { bus, clock, ids, leases, loudness, media, servers } = ports
  const host = createSessionHost({ bus, clock, commandHandler, idle: access.idle, leases, node })
  const explainMissing = servers.length > 0 ? createExplainMissing({ access, commandHandler }) : explainMissingAlone
  const audioGains = createAudioGains({ clock, loudness, onError })
  const playback = createPlayback({
    ...deps,
    clock,
    host,
    ids,
    media,
    audioGains,
    streams,
    explainMissing,
    idleSeconds,
    onError,
    accountOf: async (userId) => {
      const user = access.users.get(userId)
      return user && accounts.open(user)
    },
  })
  const loginOf = async (id: string) => {
    const sessionId = parseId<'session'>(id)
    if (!sessionId) return undefined
    return (await commandHandler.load({ stream: playbackStream(sessionId), decider: playbackDecider })).started?.loginId
  }
  return { audioGains, host, playback, streamAccess: createStreamAccess({ access, clock, readModels, secrets, explainMissing, loginOf }) }
}

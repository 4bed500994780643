/** Makes deliveries of the events in a batch of the log: in the form of the live events that administrators get. */
import { derivedId } from '../../events/derived-id.ts'
import type { JsonObject } from '../../events/envelope.ts'
import { toSeq } from '../../events/position.ts'
import type { RecordedEvent } from '../../events/recorded.ts'
import type { WebhookDocument } from '../../../projections/views/webhooks.ts'
import { liveEventsOf } from '../../domain/feed/live-events.ts'
import { isForWebhooks, isNamed, subjectOf } from '../../domain/webhooks/webhook-kinds.ts'
import type { LibraryId } from '../../vocabulary/id.ts'
import type { Clock } from '../../ports/clock.ts'
import { completed, type DetailedEvent } from '../feed/live-event-details.ts'
import { thinned } from '../feed/live-event-thinning.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { Delivery } from './delivery-store.ts'

export interface IntakeDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly readModels: Pick<ReadModels, 'movies' | 'scans' | 'userMovies' | 'viewings'>
  /** Libraries that exist. */
  readonly libraries: ReadonlyMap<string, unknown>
  /** The payload of an event as administrators get it. */
  readonly present: (event: DetailedEvent) => JsonObject
}

/** Larger data is left out: the receiver can request what it needs. */
const DATA_MAX = 32_768
/** Messages to viewers are sealed in the log, and are not sent anywhere else. */
const NO_SEALER = { open: async () => undefined }

/** Whether any of the events may lead to a delivery: only then the views are needed. */
export const concerns = (webhook: WebhookDocument, events: readonly RecordedEvent[]): boolean =>
  events.some((event) => liveEventsOf(event).some((live) => mayBeNamed(live.kind, webhook)))

/** A missing file counts as a change of its movie if that has other files. */
const mayBeNamed = (kind: string, { events }: WebhookDocument): boolean =>
  isNamed(kind, events) || (kind === 'movie.missing' && isNamed('movie.updated', events))

/** Call it once the views have passed the events. `progress`: as for `thinned`. */
export async function deliveriesOf(
  deps: IntakeDependencies,
  webhook: WebhookDocument,
  { events, progress }: { readonly events: readonly RecordedEvent[]; readonly progress: Map<string, number> },
): Promise<readonly Delivery[]> {
  const happened = events.flatMap((event) =>
    liveEventsOf(event).flatMap((live) => (mayBeNamed(live.kind, webhook) ? [{ event, live }] : [])),
  )
  const detailed = thinned(await completed({ ...deps, sealer: NO_SEALER }, happened), progress)
  const wanted = detailed.filter((event) => isNamed(event.kind, webhook.events) && isForWebhooks(event, isVisible(deps, event.libraryId)))
  const films = await filmsOf(deps, wanted)
  return wanted.map((event) => deliveryOf(deps, webhook, event, films.get(movieIdOf(event) ?? '') ?? null))
}

const isVisible = ({ libraries }: IntakeDependencies, libraryId: LibraryId | null) => libraryId !== null && libraries.has(libraryId)

const movieIdOf = ({ payload }: DetailedEvent): string | undefined =>
  typeof payload['movieId'] === 'string' ? payload['movieId'] : undefined

const AT_ONCE = 500

/** Titles with years. */
async function filmsOf({ readModels }: IntakeDependencies, events: readonly DetailedEvent[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap((event) => movieIdOf(event) ?? []))]
  const films = new Map<string, string>()
  for (let n = 0; n < ids.length; n += AT_ONCE) {
    for (const { id, details } of await readModels.movies.getMany(ids.slice(n, n + AT_ONCE))) {
      films.set(id, details.year === null ? details.title : `${details.title} (${details.year})`)
    }
  }
  return films
}

function deliveryOf(
  { clock, present }: IntakeDependencies,
  { id: webhookId }: WebhookDocument,
  event: DetailedEvent,
  film: string | null,
): Delivery {
  const { kind, position, at } = event
  const basics = { seq: toSeq(position), at }
  const data = { ...basics, ...present(event) }
  return {
    // The same event has the same id, however often the log is read: receivers recognize repetitions by it.
    id: derivedId('delivery', `${webhookId} ${position} ${kind}`),
    webhookId,
    state: 'pending',
    order: `${position} ${kind}`,
    subject: subjectOf(event),
    position,
    event: { kind, at, data: JSON.stringify(data).length > DATA_MAX ? { ...basics, tooLarge: true } : data, film },
    tries: 0,
    firstTriedAt: null,
    lastTriedAt: null,
    nextAt: new Date(clock.now()).toISOString(),
    status: null,
    reason: null,
  }
}

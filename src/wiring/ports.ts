/** Opens the engines: the ports with the adapters that the configuration selects. Only this file and `adapters.ts` choose adapters. */
import { join } from 'node:path'
import { createMediaFrames } from '../adapters/ffmpeg/video-frames.ts'
import { createMediaFonts } from '../adapters/ffmpeg/media-fonts.ts'
import { createTextTracks } from '../adapters/ffmpeg/text-tracks.ts'
import { createLoudness } from '../adapters/ffmpeg/loudness.ts'
import { sizeOfDisk } from '../adapters/filesystem/disk-room.ts'
import { createDiskImageStore } from '../adapters/filesystem/image-store.ts'
import { createDiskSegmentStore } from '../adapters/filesystem/segment-store.ts'
import { createDiskTrickplayStore } from '../adapters/filesystem/trickplay-store.ts'
import { stampOf } from '../adapters/ffmpeg/file-reads.ts'
import { createJoinedFilms, type FindJoined } from '../adapters/ffmpeg/joined-films.ts'
import { createMedia } from '../adapters/ffmpeg/media.ts'
import { createStills } from '../adapters/ffmpeg/stills.ts'
import { createMemoryReadStore } from '../adapters/memory/read-store.ts'
import { createImageProcess } from '../adapters/sharp/image-process.ts'
import { createSystemClock } from '../adapters/node/clock.ts'
import { warnUnconfined } from '../ffmpeg/confinement.ts'
import { mediaFfmpeg } from './media-ffmpeg.ts'
import { createParcelWatcher } from '../adapters/parcel-watcher/watcher.ts'
import { createSystemIds } from '../adapters/node/ids.ts'
import { createUqrCodes } from '../adapters/uqr/qr-codes.ts'
import { createPasskeyChecks } from '../adapters/simplewebauthn/passkeys.ts'
import { createWorkerScrypt } from '../adapters/node/scrypt.ts'
import { createWebhookSender } from '../adapters/node/webhook-sender.ts'
import { createWorkerTextReader } from '../adapters/worker/text-reader.ts'
import { createMediaReadClient, type MediaReadClientOptions } from '../app/media-reads/media-read-client.ts'
import { textReading } from '../app/derived-media/text-reading.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../process/data-folder.ts'
import {
  closeAll,
  openEventLog,
  openIdentityProvider,
  openMessaging,
  openOnline,
  openReadStore,
  openSecrets,
  type IdentityProviderConfig,
  type OnlineOptions,
  type AdapterOptions,
} from './adapters.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Counters } from '../ports/counters.ts'
import type { Server } from '../ports/server.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { StartMediaRead } from '../ports/media-reads.ts'
import type { MediaFonts } from '../ports/media-fonts.ts'
import type { TextTracks } from '../ports/text-tracks.ts'
import type { IdentityProvider } from '../ports/identity-provider.ts'
import type { Ids } from '../ports/ids.ts'
import type { Leases } from '../ports/leases.ts'
import type { Loudness } from '../ports/loudness.ts'
import type { Media } from '../ports/media.ts'
import type { OnlineMetadata } from '../ports/online-metadata.ts'
import type { IdempotencyStore } from '../ports/idempotency-store.ts'
import type { ImageStore } from '../ports/image-store.ts'
import type { ImageMaker } from '../ports/image-maker.ts'
import type { ReadStore } from '../ports/read-store.ts'
import type { PasskeyChecks } from '../ports/passkeys.ts'
import type { QrCodes } from '../ports/qr-codes.ts'
import type { Scrypt } from '../ports/scrypt.ts'
import type { SegmentStore } from '../ports/segment-store.ts'
import type { Stills } from '../ports/stills.ts'
import type { TextReader } from '../ports/text-reader.ts'
import { startTextThread } from './text-thread.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { TrickplayMaker } from '../ports/trickplay-maker.ts'
import type { TrickplayStore } from '../ports/trickplay-store.ts'
import type { Vault } from '../ports/vault.ts'
import type { Watcher } from '../ports/watcher.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Report } from '../ports/report.ts'

/** The ports of a transcode agent. */
export interface AgentPorts {
  readonly bus: Bus
  readonly clock: Clock
  /** The servers among its engines. */
  readonly servers: readonly Server[]
  close(): Promise<void>
}

/** The ports of a projector. */
export interface ProjectorPorts extends AgentPorts {
  readonly log: EventLog
  /** The log for verification; default: the same. */
  readonly wholeLog?: EventLog
  readonly store: ReadStore
  readonly leases: Leases
}

/** The ports of an API node. */
export interface Ports extends ProjectorPorts {
  /** An empty in-memory read store, for queries about the past. */
  readonly openScratchStore: () => ReadStore
  readonly vault: Vault
  readonly scrypt: Scrypt
  readonly qrCodes: QrCodes
  readonly passkeyChecks: PasskeyChecks
  readonly counters: Counters
  readonly idempotencyStore: IdempotencyStore
  readonly media: Media
  readonly segments: SegmentStore
  readonly stills: Stills
  readonly imageMaker: ImageMaker
  /** Resized images; each node has its own. */
  readonly imageStore: ImageStore
  readonly texts: TextTracks
  readonly reader: TextReader
  readonly fonts: MediaFonts
  readonly loudness: Loudness
  /** Preview images of films, in a folder shared by all nodes. */
  readonly trickplay: TrickplayStore
  readonly trickplayMaker: TrickplayMaker
  /** Undefined without a key. */
  readonly online: OnlineMetadata | undefined
  /** Undefined without `MARQUEE_OIDC_ISSUER`. */
  readonly identityProvider?: IdentityProvider | undefined
  readonly watcher: Watcher
  readonly webhookSender: WebhookSender
  readonly ids: Ids
  /** Why reads of films are waiting for an agent; undefined if they are not. Default: they need none. */
  readonly readsWait?: () => string | undefined
}

interface ProcessOptions {
  readonly config: AdapterOptions['config']
  /** Name of this process. */
  readonly name: string
  readonly onError: Report
  readonly tracer?: Tracer | undefined
}

export interface PortOptions extends ProcessOptions {
  readonly config: AdapterOptions['config'] &
    OnlineOptions['config'] &
    Pick<Config, 'cacheBytes'> &
    Partial<Pick<Config, 'sendfile' | 'webhookAllow'> & IdentityProviderConfig>
  readonly folder: DataFolder
  /** How films are read: by programs on this machine, or by agents. */
  readonly reads: { readonly ffmpeg: string; readonly ffprobe: string } | { readonly sign: MediaReadClientOptions['sign'] }
}

/** Disk space for resized images, as a share of that for segments and in addition to it. */
const IMAGES_SHARE = 0.05
/** Maximum share of the disk for preview images: a film of two hours takes about 5 MB. */
const TRICKPLAY_SHARE = 0.05

export async function openAgentPorts(options: ProcessOptions): Promise<AgentPorts> {
  const clock = createSystemClock()
  const messaging = await openMessaging({ ...options, clock })
  return { bus: messaging.bus, clock, servers: serversOf([messaging]), close: messaging.close }
}

/** `folder`: folder of the file engines; undefined for a program whose engines are all on servers. */
export async function openProjectorPorts(options: ProcessOptions & { readonly folder?: DataFolder }): Promise<ProjectorPorts> {
  const clock = createSystemClock()
  const given = { ...options, clock }
  const [events, reads] = [await openEventLog(given), await openReadStore(given)]
  const messaging = await openMessaging({ ...given, store: reads.store })
  const parts = [messaging, reads, events]
  return {
    log: events.log,
    wholeLog: events.wholeLog,
    store: reads.store,
    bus: messaging.bus,
    leases: messaging.leases,
    clock,
    servers: serversOf(parts),
    close: () => closeAll(parts),
  }
}

export async function openPorts(options: PortOptions): Promise<Ports> {
  const { folder, config, onError } = options
  const shared = await openProjectorPorts(options)
  const { clock } = shared
  const secrets = await openSecrets({ ...options, clock })
  const scrypt = createWorkerScrypt({ clock })
  const reader = createWorkerTextReader({ clock, reading: textReading, start: startTextThread })
  const online = await openOnline({ config, clock, folder, onError })
  const segments = createDiskSegmentStore({
    clock,
    folder: folder.cache,
    budgetBytes: config.cacheBytes,
    // The user of a reverse proxy that sends them may be in the group of this one.
    isShared: config.sendfile !== undefined,
    onError,
  })
  const imageStore = createDiskImageStore({
    clock,
    folder: join(folder.cache, 'pictures'),
    budgetBytes: config.cacheBytes * IMAGES_SHARE,
    onError,
  })
  const imageMaker = createImageProcess({ clock })
  const trickplayBytes = TRICKPLAY_SHARE * (await sizeOfDisk(folder.blobs))
  const findJoined = createJoinedFilms()
  const { start, readsWait } = openReads(options, shared, findJoined)
  return {
    ...shared,
    readsWait,
    // Views make new documents, and never change those they have made.
    openScratchStore: () => createMemoryReadStore({ copies: false }),
    vault: secrets.vault,
    scrypt,
    qrCodes: createUqrCodes(),
    passkeyChecks: createPasskeyChecks(),
    reader,
    counters: secrets.counters,
    idempotencyStore: secrets.idempotencyStore,
    segments,
    imageStore,
    imageMaker,
    stills: createStills({ clock, start, folder: join(folder.blobs, 'stills') }),
    media: createMedia({ start, clock, findJoined, indexFolder: join(folder.blobs, 'media-index') }),
    fonts: createMediaFonts({ folder: join(folder.blobs, 'texts') }),
    texts: createTextTracks({ clock, folder: join(folder.blobs, 'texts'), start }),
    loudness: createLoudness({ clock, folder: join(folder.blobs, 'loudness'), start }),
    trickplay: createDiskTrickplayStore({ clock, folder: join(folder.blobs, 'trickplay'), budgetBytes: trickplayBytes, onError }),
    trickplayMaker: { ...createMediaFrames({ clock, start }), sheet: imageMaker.sheet },
    online: online.online,
    identityProvider: await openIdentityProvider({ config, clock, onError }),
    watcher: createParcelWatcher({ clock }),
    webhookSender: createWebhookSender({ clock, allow: config.webhookAllow ?? [] }),
    ids: createSystemIds(),
    servers: [...shared.servers, ...serversOf([secrets])],
    close: () => closeAll([online, scrypt, reader, imageMaker, imageStore, segments, secrets, shared]),
  }
}

/** Opens the readers of films: everything that uses ffmpeg except for segments. */
function openReads({ reads, name, onError }: PortOptions, { bus, clock }: ProjectorPorts, findJoined: FindJoined): Reads {
  if ('sign' in reads) {
    const parts = async (path: string) => (await findJoined(path))?.parts
    const ids = createSystemIds()
    const asker = createMediaReadClient({ bus, clock, ids, node: name, sign: reads.sign, stamp: stampOf, parts, onError })
    return { start: asker.start, readsWait: asker.waiting }
  }
  warnUnconfined(onError)
  return { start: mediaFfmpeg(reads.ffmpeg, reads.ffprobe, findJoined), readsWait: () => undefined }
}

interface Reads extends Required<Pick<Ports, 'readsWait'>> {
  readonly start: StartMediaRead
}

function serversOf(parts: readonly { readonly engine?: Server }[]): readonly Server[] {
  return parts.flatMap(({ engine }) => engine ?? [])
}

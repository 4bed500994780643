/**
 * Opens films for an agent on another machine: mounted there, or else fetched from the API through a proxy inside this process. ffmpeg
 * itself never gets an address or a token of the API.
 */
import { extname } from 'node:path'
import type { JobSource } from '../src/app/streaming/agents/agent-protocol.ts'
import type { Clock } from '../src/ports/clock.ts'
import type { Report } from '../src/ports/report.ts'
import { omitUndefined } from '../src/vocabulary/omit-undefined.ts'
import { createMediaBlocks, type MediaBlocks } from './media-blocks.ts'
import { createMediaPaths, type PathPair } from './media-paths.ts'
import { createMediaProxy, type MediaProxy } from './media-proxy.ts'
import { createUpstream, MediaLost, type MediaVersion, type Upstream } from './media-upstream.ts'
import { mediaAt, type OpenMedia, type OpenSource, type Unreachable } from './open-media.ts'
import { createUpstreamCheck, type UpstreamCheck } from './upstream-check.ts'

export interface MediaSourcesOptions {
  /** Base URL of the API, without a trailing slash; without it films must be mounted. */
  readonly apiUrl?: string | undefined
  readonly pathMap?: readonly PathPair[] | undefined
  /** Folders that films are mounted below. Without them every path is allowed. */
  readonly roots?: readonly string[] | undefined
  readonly clock: Clock
  /** Memory limit for fetched blocks of films. */
  readonly cacheBytes?: number
  readonly blockBytes?: number
  /** Told when films cannot be fetched from the API, and when they can be again. */
  readonly onError?: Report
}

export interface MediaSources {
  readonly open: OpenSource
  close(): Promise<void>
}

const NO_PROXY = { unreachable: 'This agent cannot open a port of its own to read films through' }
const CACHE_BYTES = 256 * 1024 * 1024
const BLOCK_BYTES = 4 * 1024 * 1024

export function createMediaSources(options: MediaSourcesOptions): MediaSources {
  const { apiUrl, pathMap = [], roots, clock } = options
  const find = createMediaPaths({ pathMap, roots, clock })
  const remote = apiUrl === undefined ? undefined : createRemote({ ...options, apiUrl })
  return {
    async open(source) {
      const found = await find(source)
      if (found.type === 'found') return mediaAt(found.path, source.parts)
      if (remote) return openRemote(source, remote).catch(() => NO_PROXY)
      const here = found.type === 'absent' ? 'The film is not mounted on this agent' : 'This agent has another version of the film mounted'
      return { unreachable: `${here}, and MARQUEE_API_URL names no server to fetch it from` }
    },
    async close() {
      await remote?.proxy.close()
      remote?.blocks.close()
      remote?.upstream.close()
    },
  }
}

interface Remote {
  readonly upstream: Upstream
  readonly check: UpstreamCheck
  readonly blocks: MediaBlocks
  readonly proxy: MediaProxy
}

function createRemote(options: MediaSourcesOptions & { readonly apiUrl: string }): Remote {
  const { apiUrl, clock, cacheBytes = CACHE_BYTES, blockBytes = BLOCK_BYTES, onError = () => undefined } = options
  const upstream = createUpstream({ apiUrl, clock })
  const check = createUpstreamCheck({ upstream, apiUrl, clock, onError })
  const blocks = createMediaBlocks({ upstream, clock, cacheBytes, blockBytes })
  return { upstream, check, blocks, proxy: createMediaProxy(blocks) }
}

/** Starts fetching at once: the head of the film arrives while ffmpeg is starting. */
async function openRemote(source: JobSource, { blocks, check, proxy }: Remote): Promise<OpenMedia | Unreachable> {
  const { fileId, token, parts } = source
  const unreachable = await check.whyNot({ fileId, token })
  if (unreachable !== undefined) return { unreachable }
  const closing = new AbortController()
  const losing = new AbortController()
  const { signal } = closing
  const version = versionOf(source, blocks, signal)
  version.then((known) => blocks.read({ fileId, token, ...known }, 0, signal)).catch(() => undefined)
  const lost = (cause: unknown): void => {
    if (!losing.signal.aborted) check.failed(cause)
    losing.abort(cause)
  }
  const url = await proxy.offer({ fileId, token, extension: extensionOf(source.path), version, signal, lost })
  return {
    input: { type: 'url', url, ...omitUndefined({ parts }) },
    lost: losing.signal,
    close: () => closing.abort(new Error('The job has ended')),
  }
}

async function versionOf({ fileId, token, sizeBytes }: JobSource, blocks: MediaBlocks, signal: AbortSignal): Promise<MediaVersion> {
  const version = await blocks.version({ fileId, token }, signal)
  if (version.sizeBytes !== sizeBytes) throw new MediaLost('The film has changed since it was last looked at')
  return version
}

const extensionOf = (path: string): string => /^\.[a-z0-9]{1,5}$/i.exec(extname(path))?.[0] ?? ''

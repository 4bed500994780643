/** Fetches and parses everything that a player can fetch of one film, from an engine or over HTTP. */
import { segmentTable, type SegmentTable } from '../../fixtures/segment-table.ts'
import { initFacts, type InitFacts } from './init-facts.ts'
import { masterText, mediaText, quotedIn, type Attributes, type MasterText, type MediaText } from './playlist-text.ts'

export interface ServedRendition {
  /** First part of its playlist's path. */
  readonly name: string
  readonly playlist: MediaText
  readonly init: InitFacts
  readonly initBytes: Uint8Array
  /** As many as in the playlist. */
  readonly segments: readonly SegmentTable[]
  readonly segmentBytes: readonly Uint8Array[]
}

export interface ServedSubtitle {
  readonly path: string
  readonly playlist: MediaText
  readonly pieces: readonly string[]
}

/** I-frames of a rendition. */
export interface ServedIframes {
  readonly path: string
  /** Their attributes in the master playlist. */
  readonly said: Attributes
  readonly playlist: MediaText
  /** As many as in the playlist. */
  readonly bytes: readonly Uint8Array[]
  readonly rendition: ServedRendition
}

export interface Served {
  readonly master: MasterText
  readonly renditions: readonly ServedRendition[]
  readonly subtitles: readonly ServedSubtitle[]
  readonly iframes: readonly ServedIframes[]
}

/** The bytes at a path below the master playlist's folder, with its query. @throws Error if there are none */
export type Fetch = (path: string) => Promise<Uint8Array>

export interface FetchOrder {
  /** Names of renditions to leave out. */
  readonly without?: (name: string) => boolean
  /** The order in which the segments of a rendition are requested. */
  readonly order?: (count: number) => readonly number[]
}

export async function fetchServed(fetch: Fetch, { without = () => false, order = inOrder }: FetchOrder = {}): Promise<Served> {
  const master = masterText(text(await fetch('master.m3u8')))
  const ofType = (type: string) => master.media.filter((one) => one.get('TYPE') === type).map((one) => quotedIn(one, 'URI') ?? '')
  const renditions: ServedRendition[] = []
  for (const uri of [...master.variants.map((one) => one.uri), ...ofType('AUDIO')]) {
    if (!without(folderOf(uri)) && !renditions.some(({ name }) => name === folderOf(uri)))
      renditions.push(await rendition(fetch, uri, order))
  }
  const subtitles: ServedSubtitle[] = []
  for (const uri of ofType('SUBTITLES')) subtitles.push(await subtitle(fetch, uri))
  const iframes: ServedIframes[] = []
  for (const said of master.iframes) {
    const rendition = renditions.find(({ name }) => name === folderOf(quotedIn(said, 'URI') ?? ''))
    if (rendition) iframes.push(await iframesOf(fetch, said, rendition))
  }
  return { master, renditions, subtitles, iframes }
}

const inOrder = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
const folderOf = (uri: string): string => uri.split('/')[0] ?? ''
const beside = (uri: string, other: string): string => [...uri.split('/').slice(0, -1), other].join('/')

async function rendition(fetch: Fetch, uri: string, order: (count: number) => readonly number[]): Promise<ServedRendition> {
  const playlist = mediaText(text(await fetch(uri)))
  const initBytes = await fetch(beside(uri, quotedIn(playlist.map ?? new Map(), 'URI') ?? 'no-map'))
  const bytes = new Map<number, Uint8Array>()
  for (const segment of order(playlist.segments.length)) {
    if (!bytes.has(segment)) bytes.set(segment, await fetch(beside(uri, playlist.segments[segment]?.uri ?? '')))
  }
  const segmentBytes = playlist.segments.map((_, segment) => bytes.get(segment) ?? new Uint8Array())
  return { name: folderOf(uri), playlist, init: initFacts(initBytes), initBytes, segments: segmentBytes.map(segmentTable), segmentBytes }
}

async function iframesOf(fetch: Fetch, said: Attributes, rendition: ServedRendition): Promise<ServedIframes> {
  const path = quotedIn(said, 'URI') ?? ''
  const playlist = mediaText(text(await fetch(path)))
  const bytes: Uint8Array[] = []
  for (const { uri } of playlist.segments) bytes.push(await fetch(beside(path, uri)))
  return { path, said, playlist, bytes, rendition }
}

async function subtitle(fetch: Fetch, path: string): Promise<ServedSubtitle> {
  const playlist = mediaText(text(await fetch(path)))
  const pieces: string[] = []
  for (const { uri } of playlist.segments) pieces.push(text(await fetch(beside(path, uri))))
  return { path, playlist, pieces }
}

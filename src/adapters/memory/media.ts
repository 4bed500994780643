/** Films given as data, for tests of the scan. The tree may change between two reads, as on a disk. */
import { createHash } from 'node:crypto'
import { basename, dirname, sep } from 'node:path'
import type { MediaDescription } from '../../vocabulary/media-description.ts'
import { byCodePoints } from '../../vocabulary/code-point-order.ts'
import {
  NotPlayable,
  type Fingerprint,
  type ListedFolder,
  type Media,
  type MediaIndex,
  type RootHealth,
  type Subfolders,
} from '../../ports/media.ts'

/** One file; missing members are derived from the rest. */
export interface MemoryFile {
  /** Its content; the fingerprint is derived from it and from the size. */
  readonly content?: string
  readonly sizeBytes?: number
  readonly modifiedAtMs?: number
  readonly inode?: number | null
  /** A short film by default; a text is the reason why it is not a film. */
  readonly probe?: MediaDescription | string
  readonly index?: MediaIndex
}

type Available = Extract<RootHealth, { readonly available: true }>
/** By default each device is another folder. */
type StatedHealth = Exclude<RootHealth, Available> | (Omit<Available, 'identity'> & Partial<Pick<Available, 'identity'>>)

export interface MemoryMedia extends Media {
  put(path: string, file?: MemoryFile): void
  remove(path: string): void
  /** Same inode, same content, another path; the target is replaced. */
  move(from: string, to: string): void
  /**
   * Health of a root or of a folder where a drive is mounted. Without it a folder is available if a file lies below it, else missing; its
   * device is that of the folder around it, else 1.
   */
  setHealth(root: string, health: StatedHealth): void
  /** An unreadable folder, with the message; an empty text makes it readable again. */
  setProblem(folder: string, message: string): void
  /** How often each path was probed. */
  readonly probes: ReadonlyMap<string, number>
}

interface Tree {
  readonly files: Map<string, Required<MemoryFile>>
  readonly health: Map<string, RootHealth>
  readonly problems: Map<string, string>
  readonly probes: Map<string, number>
  /** Fingerprints whose index was requested. */
  readonly indexed: Set<string>
  inodes: number
}

const DURATION_MS = 5_400_000
const MODIFIED_AT_MS = 1_767_000_000_000
const KEYFRAME_EVERY_MS = 2_000

export function createMemoryMedia(files: Readonly<Record<string, MemoryFile>> = {}): MemoryMedia {
  const tree: Tree = { files: new Map(), health: new Map(), problems: new Map(), probes: new Map(), indexed: new Set(), inodes: 0 }
  for (const [path, file] of Object.entries(files)) put(tree, path, file)
  return {
    put: (path, file = {}) => put(tree, path, file),
    remove: (path) => void tree.files.delete(path),
    move(from, to) {
      tree.files.set(to, fileAt(tree, from))
      tree.files.delete(from)
    },
    setHealth: (root, health) => void tree.health.set(root, health.available ? { identity: String(health.device), ...health } : health),
    setProblem: (folder, message) => void tree.problems.set(folder, message),
    probes: tree.probes,
    health: async (root) => tree.health.get(root) ?? healthOf(tree, root),
    list: (root, options) => list(tree, root, options),
    subfolders: async (path) => subfolders(tree, path),
    stamp: async (path) => {
      const file = isAway(tree, path) ? undefined : tree.files.get(path)
      return file && { sizeBytes: file.sizeBytes, modifiedAtMs: file.modifiedAtMs, inode: file.inode }
    },
    fingerprint: async (path) => fingerprintOf(fileAt(tree, path)),
    probe: async (path, signal) => probe(tree, path, signal),
    async index(path, fingerprint, signal) {
      signal.throwIfAborted()
      const { index } = fileAt(tree, path)
      tree.indexed.add(fingerprint)
      return index
    },
    parts: async (path) => tree.files.get(path)?.index.parts,
    hasIndex: async (fingerprint) => tree.indexed.has(fingerprint),
    readSmall: async (path, limitBytes) => readSmall(tree, path, limitBytes),
  }
}

function put(tree: Tree, path: string, file: MemoryFile): void {
  const content = file.content ?? path
  const before = tree.files.get(path)
  tree.files.set(path, {
    content,
    sizeBytes: file.sizeBytes ?? Buffer.byteLength(content),
    modifiedAtMs: file.modifiedAtMs ?? MODIFIED_AT_MS,
    inode: file.inode === undefined ? (before?.inode ?? ++tree.inodes) : file.inode,
    probe: file.probe ?? shortMovie(),
    index: file.index ?? evenIndex(),
  })
}

function fileAt(tree: Tree, path: string): Required<MemoryFile> {
  const file = tree.files.get(path)
  if (!file) throw new NotPlayable('The file cannot be read')
  return file
}

const below = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep)

/** Its drive is disconnected. */
const isAway = ({ health }: Tree, path: string): boolean =>
  [...health].some(([root, { available }]) => !available && path.startsWith(`${root}/`))

function healthOf(tree: Tree, root: string): RootHealth {
  const filled = [...tree.files.keys()].some((path) => below(root, path))
  if (!filled) return { available: false, reason: 'missing' }
  const device = deviceOf(tree, root)
  return { available: true, device, identity: String(device), empty: false }
}

/** That of the innermost folder around it whose health was set. */
function deviceOf(tree: Tree, folder: string): number {
  const health = tree.health.get(folder)
  if (health?.available) return health.device
  const parent = dirname(folder)
  return parent === folder ? 1 : deviceOf(tree, parent)
}

function subfolders(tree: Tree, path: string): Subfolders {
  const inside = [...tree.files.keys()]
    .filter((file) => below(path, file))
    .map((file) => file.slice(path.length).split(sep).filter(Boolean))
  const names = new Set(inside.flatMap((parts) => (parts.length > 1 ? parts.slice(0, 1) : [])))
  return inside.length > 0 ? { available: true, names: [...names].sort(byCodePoints) } : { available: false, reason: 'missing' }
}

async function* list(tree: Tree, root: string, { signal, onError }: Parameters<Media['list']>[1]): AsyncGenerator<ListedFolder> {
  signal.throwIfAborted()
  const health = tree.health.get(root) ?? healthOf(tree, root)
  const message = tree.problems.get(root) || (health.available ? '' : health.reason)
  if (message) throw new Error(message)
  const closed = [...tree.problems].filter(([folder, message]) => message !== '' && below(root, folder))
  for (const [folder, message] of closed) onError(folder, message)
  const hidden = (path: string): boolean =>
    path.slice(root.length - 1).includes(`${sep}.`) || closed.some(([folder]) => below(folder, path))
  const shown = [...tree.files].filter(([path]) => below(root, path) && !hidden(path))
  const folders = Map.groupBy(shown, ([path]) => dirname(path))
  for (const path of [...folders.keys()].sort(parentsFirst)) {
    signal.throwIfAborted()
    const files = (folders.get(path) ?? []).map(listed).sort((a, b) => byCodePoints(a.name, b.name))
    yield { path, files, device: deviceOf(tree, path) }
  }
}

const parentsFirst = (a: string, b: string): number => byCodePoints(a.replaceAll(sep, '\0'), b.replaceAll(sep, '\0'))

function listed([path, { sizeBytes, modifiedAtMs, inode }]: readonly [string, Required<MemoryFile>]): ListedFolder['files'][number] {
  return { name: basename(path), path, sizeBytes, modifiedAtMs, inode }
}

/** The former one is of the text before a line break. */
function fingerprintOf({ sizeBytes, content }: Required<MemoryFile>): Fingerprint {
  const of = (text: string): string => createHash('sha256').update(`${sizeBytes} ${text}`).digest('hex')
  return { current: of(content), former: of(`former ${content.split('\n', 1).join('')}`) }
}

function probe(tree: Tree, path: string, signal: AbortSignal): MediaDescription {
  signal.throwIfAborted()
  const { probe } = fileAt(tree, path)
  tree.probes.set(path, (tree.probes.get(path) ?? 0) + 1)
  if (typeof probe === 'string') throw new NotPlayable(probe)
  return probe
}

function readSmall(tree: Tree, path: string, limitBytes: number): Uint8Array | undefined {
  const file = tree.files.get(path)
  return file && file.sizeBytes <= limitBytes ? new TextEncoder().encode(file.content) : undefined
}

function shortMovie(): MediaDescription {
  const video = {
    stream: 0,
    codec: 'h264',
    profile: 'High',
    level: 40,
    width: 1920,
    height: 1080,
    rotation: 0,
    sampleAspect: '1:1',
    frameRate: 24,
    frameRateFraction: '24/1',
    pixelFormat: 'yuv420p',
    bitDepth: 8,
    interlaced: false,
    hdr: null,
    colorTransfer: null,
    colorPrimaries: null,
    colorSpace: null,
    bitrateBps: 5_000_000,
  }
  const container = { container: 'matroska', durationMs: DURATION_MS, startMs: 0, bitrateBps: 5_200_000 }
  return { ...container, video: [video], audio: [stereo()], subtitles: [], chapters: [] }
}

function stereo(): MediaDescription['audio'][number] {
  const audio = { codec: 'aac', profile: 'LC', channels: 2, channelLayout: 'stereo', sampleRate: 48_000, bitrateBps: 192_000 }
  return { stream: 1, ...audio, language: 'en', title: null, default: true }
}

function evenIndex(): MediaIndex {
  const keyframesMs = Array.from({ length: DURATION_MS / KEYFRAME_EVERY_MS }, (_, index) => index * KEYFRAME_EVERY_MS)
  return { zeroMs: 0, keyframesMs, videoStartMs: 0, audioStartMs: 0, videoEndMs: DURATION_MS }
}

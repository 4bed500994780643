/** The engine as the validator uses it: bytes by the paths in playlists. */
import type { StreamSource } from '../../../src/app/streaming/engine.ts'
import { isUnavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import { parseQuality, parseQualityFile, parseSubtitleFile, type Quality } from '../../../src/domain/streaming/stream-name.ts'
import type { EngineFixture } from '../engine-fixture.ts'
import { patience } from '../patience.ts'
import type { Fetch } from '../validator/served.ts'

const TOKEN = 'user:session:1:00'

/** @throws Error if the response would not be a 200 */
export function fetchFrom(fixture: EngineFixture, source: StreamSource, viewer = 'validator'): Fetch {
  return async (path) => {
    const url = new URL(path, 'http://here/')
    const [folder = '', file = ''] = url.pathname.slice(1).split('/')
    if (folder !== 'master.m3u8' && url.searchParams.get('token') !== TOKEN) throw new Error(`${path} without its token`)
    const body = await answer(fixture, source, { folder, file, viewer })
    if (body === undefined) throw new Error(`Nothing at ${path}`)
    if (typeof body !== 'string' && isUnavailable(body)) throw new Error(`${path}: ${body.unavailable}`)
    return typeof body === 'string' ? Buffer.from(body) : body
  }
}

interface Asked {
  readonly folder: string
  readonly file: string
  readonly viewer: string
}

async function answer(fixture: EngineFixture, source: StreamSource, { folder, file, viewer }: Asked) {
  const { engine } = fixture
  const ask = { viewer, signal: patience(`${folder}/${file}`) }
  if (folder === 'master.m3u8') return engine.master(source, TOKEN, ask)
  if (folder === 'subtitles') return subtitle(fixture, source, { file, ask })
  const quality = parseQuality(folder)
  return quality && qualityFile(fixture, source, { quality, file, ask })
}

async function subtitle({ engine }: EngineFixture, source: StreamSource, { file, ask }: Pick<AskedFile, 'file' | 'ask'>) {
  const name = parseSubtitleFile(file)
  if (name?.type === 'playlist') return engine.subtitlePlaylist(source, name.index, TOKEN)
  return name?.type === 'piece' ? engine.subtitlePiece(source, name, ask) : undefined
}

interface AskedFile {
  readonly quality: Quality
  readonly file: string
  readonly ask: { readonly viewer: string; readonly signal: AbortSignal }
}

async function qualityFile({ engine }: EngineFixture, source: StreamSource, { quality, file, ask }: AskedFile) {
  const name = parseQualityFile(file)
  if (name?.type === 'playlist') return engine.mediaPlaylist(source, quality, TOKEN)
  if (name?.type === 'init') return engine.init(source, quality, ask)
  if (name?.type === 'iframe-playlist') return engine.iframePlaylist(source, quality, TOKEN)
  if (name?.type === 'iframe') return engine.iframe(source, { quality, segment: name.segment }, ask)
  return name && engine.segment(source, { quality, segment: name.segment }, ask)
}

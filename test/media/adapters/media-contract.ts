/** Tests that every Media must pass (src/ports/media.ts). */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { ListedFolder, Media } from '../../../src/ports/media.ts'
import { NotPlayable } from '../../../src/ports/media.ts'
import { makeClip } from '../../fixtures/media-files.ts'

/** A Media and an empty folder that it can see, separate for each test. */
export interface MediaUnderTest {
  readonly media: Media
  readonly folder: string
  readonly close: () => Promise<void>
}

const never = new AbortController().signal

export function mediaContract(t: Test, make: () => Promise<MediaUnderTest>): void {
  const test: Tests = (title, run) => {
    t.test(title, async (t) => {
      const { media, folder, close } = await make()
      t.teardown(close)
      await run(t, { media, folder })
    })
  }
  roots(test)
  lists(test)
  reads(test)
  probes(test)
  indexes(test)
}

type Given = Pick<MediaUnderTest, 'media' | 'folder'>
type Tests = (title: string, run: (t: Test, given: Given) => Promise<void>) => void

function roots(test: Tests): void {
  test('a root that is there is healthy and names its device', async (t, { media, folder }) => {
    t.match(await media.health(folder), { available: true, device: Number, empty: true })
    await files(folder, ['.hidden', 'lost+found/'])
    t.match(await media.health(folder), { empty: true }, 'litter is nothing')
    await files(folder, ['film.mkv'])
    t.match(await media.health(folder), { available: true, device: Number, empty: false })
  })

  test('a root has another identity when another folder takes its place', async (t, { media, folder }) => {
    const root = join(folder, 'root')
    const link = join(folder, 'link')
    const identityOf = async (path: string): Promise<string | false> => {
      const health = await media.health(path)
      return health.available && health.identity
    }
    await files(folder, ['root/film.mkv', 'new/film.mkv'])
    await symlink(root, link)
    const before = [await identityOf(root), await identityOf(link)]
    await files(folder, ['root/more.mkv'])
    t.strictSame([await identityOf(root), await identityOf(link)], before, 'the same folder')
    await rename(root, join(folder, 'old'))
    await rename(join(folder, 'new'), root)
    t.not(await identityOf(root), before[0], 'replaced')
    await rm(link)
    await symlink(join(folder, 'old'), link)
    t.not(await identityOf(link), before[1], 'a link to the same folder, which was moved')
  })

  test('a root that is away, or is no folder, is not available and says why', async (t, { media, folder }) => {
    await writeFile(join(folder, 'file'), 'x')
    t.strictSame(await media.health(join(folder, 'away')), { available: false, reason: 'missing' })
    t.strictSame(await media.health(join(folder, 'file')), { available: false, reason: 'not-a-folder' })
    t.strictSame(await media.health(join(folder, 'file', 'below')), { available: false, reason: 'not-a-folder' })
  })
}

function lists(test: Tests): void {
  test('every folder with files is listed once, parents first, in code point order, with the stamps of its files', async (t, given) => {
    const { media, folder } = given
    await files(folder, ['b/one.mkv', 'a/two.mkv', 'a/deep/three.mkv', 'root.mkv', '\u{1F3AC}/film.mkv', '\uFF5E/film.mkv', 'empty/'])
    await utimes(join(folder, 'root.mkv'), 1_700_000_000.123, 1_700_000_000.123)
    const listed = await all(media, folder)
    t.strictSame(
      listed.map(({ path }) => path),
      ['', 'a', 'a/deep', 'b', '\uFF5E', '\u{1F3AC}'].map((name) => join(folder, name)),
    )
    t.match(listed[0]?.files[0], { name: 'root.mkv', path: join(folder, 'root.mkv'), sizeBytes: 8, modifiedAtMs: 1_700_000_000_123 })
  })

  test('hidden files and the litter of systems are left out', async (t, { media, folder }) => {
    const litter = [
      '.hidden.mkv',
      '.folder/a.mkv',
      '@eaDir/a.mkv',
      'lost+found/a.mkv',
      '$RECYCLE.BIN/a.mkv',
      'System Volume Information/a.mkv',
    ]
    await files(folder, ['seen.mkv', ...litter])
    t.strictSame(names(await all(media, folder)), ['seen.mkv'])
  })

  test('links are followed, a circle of them once, and a link to nothing is a problem', async (t, { media, folder }) => {
    await files(folder, ['root/a/film.mkv', 'elsewhere/other.mkv'])
    const root = join(folder, 'root')
    await symlink(root, join(root, 'a', 'up'))
    await symlink(join(folder, 'elsewhere'), join(root, 'link'))
    await symlink(join(folder, 'nothing'), join(root, 'dangling.mkv'))
    const problems: string[] = []
    t.strictSame(names(await all(media, root, (path) => void problems.push(path))), ['film.mkv', 'other.mkv'])
    t.strictSame(problems, [join(root, 'dangling.mkv')])
  })

  test('a folder that goes away during the walk is a problem and does not end it', async (t, { media, folder }) => {
    // Far enough ahead that none has been read by then.
    const names = Array.from({ length: 100 }, (_, n) => String(100 + n))
    await files(folder, ['a.mkv', ...names.map((name) => `${name}/film.mkv`)])
    const problems: string[] = []
    const listed: string[] = []
    for await (const { path } of media.list(folder, { signal: never, onError: (at) => void problems.push(at) })) {
      listed.push(path)
      if (path === folder) await rm(join(folder, '190'), { recursive: true })
    }
    t.strictSame(listed, [folder, ...names.filter((name) => name !== '190').map((name) => join(folder, name))])
    t.strictSame(problems, [join(folder, '190')])
  })

  test('a root that cannot be read throws, so that nobody takes it for empty', async (t, { media, folder }) => {
    await t.rejects(all(media, join(folder, 'away')))
  })

  test('the signal ends a walk', async (t, { media, folder }) => {
    await files(folder, ['a/a.mkv', 'b/b.mkv'])
    const stop = new AbortController()
    const walk = async (): Promise<void> => {
      for await (const _ of media.list(folder, { signal: stop.signal, onError: () => t.fail('no problem') }))
        stop.abort(new Error('enough'))
    }
    await t.rejects(walk(), { message: 'enough' })
  })
}

function reads(test: Tests): void {
  test('the fingerprint is SHA-256 over size, first and last 64 KiB, and parts between; the former one has no such parts', async (t, {
    media,
    folder,
  }) => {
    const bytes = Buffer.from(Uint8Array.from({ length: 2_000_000 }, (_, index) => index % 251))
    const path = join(folder, 'film.mkv')
    const written = async (content: Uint8Array) => {
      await writeFile(path, content)
      return media.fingerprint(path)
    }
    const edges = createHash('sha256').update('2000000').update(bytes.subarray(0, 65_536)).update(bytes.subarray(-65_536))
    const whole = await written(bytes)
    t.equal(whole.former, edges.digest('hex'))
    t.strictSame(await media.fingerprint(path), whole)
    for (const from of [300_000, 900_000, 1_400_000]) {
      const hole = await written(Buffer.from(bytes).fill(0, from, from + 400_000))
      t.equal(hole.former, whole.former)
      t.not(hole.current, whole.current, `a fifth is missing from ${from}`)
    }
    const longer = await written(Buffer.concat([bytes, Buffer.from('x')]))
    t.not(longer.current, whole.current)
    t.not(longer.former, whole.former)
    for (const few of [Buffer.alloc(0), Buffer.from('abc'), Buffer.alloc(70_000)]) t.match((await written(few)).current, /^[0-9a-f]{64}$/)
    await t.rejects(media.fingerprint(join(folder, 'away.mkv')), { message: 'The file cannot be read' })
  })

  test('the stamp of a file is that of its listing; what is not there, or is no file, has none', async (t, { media, folder }) => {
    await files(folder, ['film.mkv'])
    const listed = (await all(media, folder))[0]?.files[0]
    t.match(listed, { ...(await media.stamp(join(folder, 'film.mkv'))), name: 'film.mkv' })
    t.match(await media.stamp(join(folder, 'film.mkv')), { sizeBytes: 8, modifiedAtMs: Number })
    t.equal(await media.stamp(join(folder, 'away.mkv')), undefined)
    t.equal(await media.stamp(folder), undefined)
  })

  test('small files are read whole, up to the limit', async (t, { media, folder }) => {
    const path = join(folder, 'movie.nfo')
    await writeFile(path, '12345678')
    t.strictSame(Buffer.from((await media.readSmall(path, 8)) ?? []), Buffer.from('12345678'))
    t.equal(await media.readSmall(path, 7), undefined)
    t.equal(await media.readSmall(join(folder, 'away'), 8), undefined)
    t.equal(await media.readSmall(folder, 8), undefined)
    await writeFile(path, '')
    t.equal((await media.readSmall(path, 8))?.length, 0)
  })
}

function probes(test: Tests): void {
  test('a film is described', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'A Film.mp4'), seconds: 2, audio: ['ger', 'und'] })
    const { container, durationMs, video, audio } = await media.probe(path, never)
    t.equal(container, 'mp4')
    t.ok(Math.abs(durationMs - 2000) < 100, `duration ${durationMs}`)
    t.match(video, [
      { stream: 0, codec: 'h264', width: 320, height: 180, frameRate: 24, bitDepth: 8, rotation: 0, sampleAspect: '1:1', hdr: null },
    ])
    t.match(audio, [
      { stream: 1, codec: 'aac', channels: 2, sampleRate: 48_000, language: 'de' },
      { stream: 2, codec: 'aac', language: null },
    ])
  })

  test('a file that is no film is refused in plain words without its path', async (t, { media, folder }) => {
    const sound = await makeClip({ path: join(folder, 'sound.mp4'), seconds: 1, video: false })
    await files(folder, ['text.mkv'])
    await writeFile(join(folder, 'empty.mkv'), '')
    await mkdir(join(folder, 'folder.mkv'))
    const reasons = {
      [sound]: 'It has no video track, only audio',
      'text.mkv': 'It is not a media file',
      'empty.mkv': 'The file is empty',
    }
    for (const [name, message] of Object.entries({ ...reasons, 'folder.mkv': 'It is not a file', 'away.mkv': 'The file cannot be read' })) {
      await t.rejects(media.probe(name === sound ? sound : join(folder, name), never), new NotPlayable(message), name)
    }
  })

  test('the signal ends a probe with its own reason', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1 })
    const reason = new Error('the scan was cancelled')
    await t.rejects(media.probe(path, AbortSignal.abort(reason)), reason)
    const stop = new AbortController()
    const probing = media.probe(path, stop.signal)
    stop.abort(reason)
    await t.rejects(probing, reason)
  })

  test('names that look like options, protocols or patterns are only names', async (t, { media, folder }) => {
    const clip = await readFile(await makeClip({ path: join(folder, 'film.mp4'), seconds: 1, audio: [] }))
    for (const name of [
      '-i.mp4',
      'http:host.mp4',
      "it's %03d 50%.mp4",
      'a "b" $(c) `d`;e.mp4',
      'concat:a|b.mp4',
      'фильм ~ №1.mp4',
      'line\nbreak.mp4',
    ]) {
      await writeFile(join(folder, name), clip)
      t.equal((await media.probe(join(folder, name), never)).video.length, 1, name)
    }
  })
}

function indexes(test: Tests): void {
  test('an index contains keyframes, starts and the end relative to the zero of the file', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'film.mkv'), seconds: 3, keyframeInterval: 36, bFrames: 2 })
    const index = await media.index(path, (await media.fingerprint(path)).current, never)
    t.strictSame(
      index.keyframesMs.map((ms) => Math.round(ms - index.videoStartMs)),
      [0, 1500],
    )
    t.equal(Math.min(index.videoStartMs, index.audioStartMs ?? Infinity), 0)
    t.ok(Math.abs(index.videoEndMs - index.videoStartMs - 3000) < 2, `end ${index.videoEndMs}`)
  })

  test('an index is found by the fingerprint when the film is away', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1, audio: [] })
    const fingerprint = (await media.fingerprint(path)).current
    t.equal(await media.hasIndex(fingerprint), false)
    const index = await media.index(path, fingerprint, never)
    t.equal(await media.hasIndex(fingerprint), true)
    t.equal(index.audioStartMs, null)
    t.strictSame(await media.index(join(folder, 'away.mp4'), fingerprint, never), index)
  })

  test('an index says where its keyframes lie and what its tracks are', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 3, keyframeInterval: 36 })
    const { keyframesMs, keyframeOffsets, largestGopMs, tracks } = await media.index(path, (await media.fingerprint(path)).current, never)
    t.equal(keyframeOffsets?.length, keyframesMs.length)
    t.equal(Math.round(largestGopMs ?? 0), 1500)
    t.match(tracks, [
      { type: 'video', configuration: { type: 'avcC' } },
      { type: 'audio', configuration: { type: 'esds' } },
    ])
  })

  test('the index of a film that was replaced meanwhile is not kept under the name of the old one', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'film.mp4'), seconds: 1, audio: [] })
    const fingerprint = (await media.fingerprint(path)).current
    await makeClip({ path, seconds: 2, audio: [] })
    t.ok((await media.index(path, fingerprint, never)).videoEndMs > 1500)
    t.equal(await media.hasIndex(fingerprint), false)
  })

  test('a file without video has no index', async (t, { media, folder }) => {
    const path = await makeClip({ path: join(folder, 'sound.mp4'), seconds: 1, video: false })
    await t.rejects(media.index(path, (await media.fingerprint(path)).current, never), NotPlayable)
  })
}

async function files(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const full = join(folder, path)
    await mkdir(path.endsWith('/') ? full : join(full, '..'), { recursive: true })
    if (!path.endsWith('/')) await writeFile(full, 'contents')
  }
}

async function all(
  media: Media,
  root: string,
  onError: (path: string, message: string) => void = () => undefined,
): Promise<ListedFolder[]> {
  const folders: ListedFolder[] = []
  for await (const folder of media.list(root, { signal: never, onError })) folders.push(folder)
  return folders
}

function names(folders: readonly ListedFolder[]): readonly string[] {
  return folders.flatMap((folder) => folder.files.map((file) => file.name))
}

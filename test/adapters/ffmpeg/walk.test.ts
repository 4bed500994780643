import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { listFolders, type WalkMeans, type WalkThread } from '../../../src/adapters/ffmpeg/walk.ts'
import type { WalkBatch } from '../../../src/adapters/ffmpeg/walk-batch.ts'
import { walkBatch } from '../../../src/adapters/ffmpeg/walk-batch.ts'
import { batchIn, walkIn, writtenBatch } from '../../../src/adapters/ffmpeg/walk-messages.ts'
import { readFolder } from '../../../src/adapters/ffmpeg/walk-folder.ts'
import { driveAt } from '../../../src/drives/media-files.ts'
import { NoAnswer } from '../../../src/drives/places.ts'
import type { ListedFile } from '../../../src/ports/media.ts'

/** More than one batch after the folders that are read before a thread is started. */
const FILMS = 700

const filmIn = (root: string, n: number): string => join(root, String(1000 + n), 'Film.mkv')

function put(path: string, content = 'film'): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function makeMediaFiles(t: Test): string {
  const root = join(t.testdir(), 'films')
  for (let n = 0; n < FILMS; n++) put(filmIn(root, n))
  return root
}

interface Walked {
  readonly files: ReadonlyMap<string, ListedFile>
  readonly folders: readonly string[]
  readonly problems: readonly string[]
}

interface WalkGiven extends Partial<WalkMeans> {
  readonly signal?: AbortSignal
}

/** In a thread, if none is given. */
async function walk(root: string, { signal = new AbortController().signal, ...given }: WalkGiven = {}): Promise<Walked> {
  const folders: string[] = []
  const problems: string[] = []
  const files = new Map<string, ListedFile>()
  const options = { signal, onError: (path: string) => void problems.push(path) }
  const means = { quickFolderMs: Infinity, ...given }
  for await (const folder of listFolders(root, options, means)) {
    folders.push(folder.path)
    for (const file of folder.files) files.set(file.path, file)
  }
  return { files, folders, problems }
}

/** Answers with these batches of a real walk, on this thread. */
function localThread(change: (batch: WalkBatch, count: number) => WalkBatch = (batch) => batch) {
  const thread = { walks: [] as string[], ended: 0 }
  const startThread = (written: string): WalkThread => {
    thread.walks.push(written)
    const state = walkIn(written)
    let count = 0
    return { next: async () => batchIn(writtenBatch(change(walkBatch(state), ++count), state)), end: () => void thread.ended++ }
  }
  return { thread, startThread }
}

t.test('a long walk lists every folder once, parents first, in order, whoever reads it', async (t) => {
  const root = makeMediaFiles(t)
  put(join(root, '1690', 'deep', 'Other.mkv'))
  symlinkSync(root, join(root, '1695', 'up'))
  symlinkSync(join(root, 'nothing'), join(root, '1699', 'dangling.mkv'))
  const names = Array.from({ length: FILMS }, (_, n) => join(root, String(1000 + n)))
  const expected = names.flatMap((name) => (name.endsWith('1690') ? [name, join(name, 'deep')] : [name]))
  const { thread, startThread } = localThread()
  for (const [title, walked] of Object.entries({
    'in a thread': await walk(root),
    'in batches': await walk(root, { startThread }),
  })) {
    t.strictSame(walked.folders, expected, title)
    t.strictSame(walked.problems, [join(root, '1699', 'dangling.mkv')], title)
    const stats = statSync(filmIn(root, 650))
    const stamp = { sizeBytes: stats.size, modifiedAtMs: Math.trunc(stats.mtimeMs), inode: stats.ino }
    t.strictSame(walked.files.get(filmIn(root, 650)), { name: 'Film.mkv', path: filmIn(root, 650), ...stamp }, title)
  }
  t.equal(thread.walks.length, 1)
  t.equal(thread.ended, 1)
})

t.test('no change is missed, whatever the times of folders and files say', async (t) => {
  const root = makeMediaFiles(t)
  const folder = (n: number) => dirname(filmIn(root, n))
  const before = await walk(root)
  const past = statSync(folder(600)).mtime
  const future = new Date(Date.now() + 86_400_000)

  // Within the granularity of a clock, or by a program that puts times back: the folder looks as before.
  put(join(folder(600), 'Second.mkv'))
  utimesSync(folder(600), past, past)
  utimesSync(folder(610), future, future)
  await walk(root)
  put(join(folder(610), 'Second.mkv'))
  utimesSync(folder(610), future, future)
  // A change of a file's content leaves its folder as it was.
  put(filmIn(root, 620), 'another film')
  utimesSync(filmIn(root, 620), past, past)
  utimesSync(filmIn(root, 625), future, future)
  put(`${filmIn(root, 630)}.new`, 'kind')
  renameSync(`${filmIn(root, 630)}.new`, filmIn(root, 630))
  const times = statSync(folder(640))
  renameSync(folder(640), join(root, '1640 renamed'))
  utimesSync(join(root, '1640 renamed'), times.atime, times.mtime)
  rmSync(filmIn(root, 645))
  utimesSync(folder(645), past, past)

  const { files } = await walk(root)
  t.ok(files.has(join(folder(600), 'Second.mkv')), 'added, and the time of its folder put back')
  t.ok(files.has(join(folder(610), 'Second.mkv')), 'added to a folder of the future')
  t.equal(files.get(filmIn(root, 620))?.sizeBytes, 'another film'.length, 'replaced in place')
  t.equal(files.get(filmIn(root, 625))?.modifiedAtMs, future.getTime(), 'a time of the future')
  t.not(files.get(filmIn(root, 630))?.inode, before.files.get(filmIn(root, 630))?.inode, 'replaced by a renamed file')
  t.notOk(files.has(filmIn(root, 640)))
  t.ok(files.has(join(root, '1640 renamed', 'Film.mkv')), 'its folder was renamed')
  t.notOk(files.has(filmIn(root, 645)), 'removed, and the time of its folder put back')
})

t.test('a walk that a thread gives back because the disk is slow is finished without it, and no folder is read twice', async (t) => {
  const root = makeMediaFiles(t)
  symlinkSync(root, join(root, '1699', 'up'))
  const { thread, startThread } = localThread((batch) => ({ ...batch, state: batch.state === 'end' ? 'end' : 'slow' }))
  const { folders } = await walk(root, { startThread })
  t.strictSame(
    folders,
    Array.from({ length: FILMS }, (_, n) => join(root, String(1000 + n))),
  )
  t.strictSame([thread.walks.length, thread.ended], [1, 1])
})

t.test('a disk on which a folder takes long is slow, one that answers from memory is not', (t) => {
  const folder = { files: [], folders: [], problems: [] }
  const ahead = () => Array.from({ length: 1000 }, (_, n) => ({ path: `/${n}`, real: `/${n}` }))
  const after = (folderMs: number) => {
    let nowMs = 0
    const read = () => {
      nowMs += folderMs
      return folder
    }
    const state = { ahead: ahead(), visited: new Set<string>() }
    return { batch: walkBatch(state, { read, now: () => nowMs }), left: state.ahead.length }
  }
  t.match(after(0.01), { batch: { state: 'end' }, left: 0 })
  t.match(after(5), { batch: { state: 'slow' }, left: 980 }, 'noticed after a tenth of a second')
  t.end()
})

t.test('a folder that cannot be read is a problem of the batch, and a short walk starts no thread', async (t) => {
  const root = join(t.testdir(), 'films')
  for (let n = 0; n < 20; n++) put(filmIn(root, n))
  const gone = { path: join(root, 'gone'), real: join(root, 'gone') }
  t.match(walkBatch({ ahead: [gone], visited: new Set() }), { folders: [], problems: [{ path: gone.path }], state: 'end' })
  const { thread, startThread } = localThread()
  t.equal((await walk(root, { startThread })).folders.length, 20)
  t.equal(thread.walks.length, 0)
})

t.test('the signal ends a walk whose thread waits for the disk, and a thread that dies fails it', async (t) => {
  const root = makeMediaFiles(t)
  const stop = new AbortController()
  let ended = 0
  const silent: WalkThread = {
    next() {
      setImmediate(() => stop.abort(new Error('enough')))
      return new Promise(() => {})
    },
    end: () => void ended++,
  }
  await t.rejects(walk(root, { startThread: () => silent, signal: stop.signal }), { message: 'enough' })
  const dying: WalkThread = { next: () => Promise.reject(new Error('The thread of a walk has ended')), end: () => void ended++ }
  await t.rejects(walk(root, { startThread: () => dying }), { message: 'The thread of a walk has ended' })
  t.equal(ended, 2)
})

t.test(
  'a drive below that does not answer is a problem, and all other folders are listed; the drive of the root ends the walk',
  async (t) => {
    const root = makeMediaFiles(t)
    const dead = dirname(filmIn(root, 3))
    const read = (drive: string): WalkMeans['read'] => {
      return (folder) => (folder.path === dead ? Promise.reject(new NoAnswer(drive)) : readFolder(folder))
    }
    const { startThread } = localThread()
    const { folders, problems } = await walk(root, { read: read('a dead one'), startThread })
    t.equal(folders.length, FILMS - 1)
    t.strictSame(problems, [dead])
    await t.rejects(walk(root, { read: read(driveAt(root)), startThread }), NoAnswer)
  },
)

t.test('a thread that is stuck on a dead drive is given up, and the walk goes on where it was, without it', async (t) => {
  const root = makeMediaFiles(t)
  symlinkSync(join(root, 'nothing'), join(root, '1300', 'dangling.mkv'))
  const { thread, startThread } = localThread()
  // A real thread keeps the process alive.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  const stuck = (written: string): WalkThread => {
    const real = startThread(written)
    let batches = 0
    return { next: () => (++batches === 1 ? real.next() : new Promise(() => {})), end: () => real.end() }
  }
  const { folders, problems } = await walk(root, { startThread: stuck, batchTimeoutMs: 50 })
  t.strictSame(
    folders,
    Array.from({ length: FILMS }, (_, n) => join(root, String(1000 + n))),
  )
  t.strictSame(problems, [join(root, '1300', 'dangling.mkv')])
  t.equal(thread.ended, 1)
})

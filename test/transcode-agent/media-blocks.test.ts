/** Blocks of films from a scripted server, on a manual clock. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMediaBlocks } from '../../transcode-agent/media-blocks.ts'
import { MediaLost, type Upstream } from '../../transcode-agent/media-upstream.ts'

const BLOCK = 1000
const content = randomBytes(10 * BLOCK + 300)
const mediaFile = { fileId: 'film', token: 'mine', etag: '"one"', sizeBytes: content.byteLength }
const { signal } = new AbortController()

type MediaFile = Parameters<Upstream['read']>[0]
/** The server's data for a range, piece by piece. */
type Read = (
  mediaFile: MediaFile,
  range: { readonly first: number; readonly last: number },
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>

function open({ read }: { readonly read: Read }, cacheBytes = 5 * BLOCK) {
  const clock = createTestClock()
  const asked: string[] = []
  const upstream: Upstream = {
    version: async () => ({ etag: mediaFile.etag, sizeBytes: mediaFile.sizeBytes }),
    close: () => undefined,
    async read(which, { first, into, came }, ends) {
      const last = first + into.byteLength - 1
      asked.push(`${first}-${last}`)
      let filled = 0
      for await (const piece of read(which, { first, last }, ends)) {
        into.set(piece, filled)
        filled += piece.byteLength
        came(piece.byteLength)
      }
    },
  }
  return { clock, asked, blocks: createMediaBlocks({ upstream, clock, cacheBytes, blockBytes: BLOCK }) }
}

const whole: Read = async function* (_film, { first, last }) {
  yield content.subarray(first, last + 1)
}
const block = (n: number): Buffer => content.subarray(n * BLOCK, (n + 1) * BLOCK)

t.test('blocks are the bytes of the film, the last one as long as the film goes', async (t) => {
  const { blocks } = open({ read: whole })
  for (const n of [0, 3, 10]) t.ok(block(n).equals(await blocks.read(mediaFile, n, signal)), `block ${n}`)
})

t.test('who asks for the same block at once waits for one request, and later for none', async (t) => {
  const { blocks, asked } = open({ read: whole })
  const all = await Promise.all([1, 2, 3, 4].map(() => blocks.read(mediaFile, 2, signal)))
  await blocks.read({ ...mediaFile, token: 'of another job' }, 2, signal)
  t.strictSame(asked, ['2000-2999'])
  t.ok(all.every((bytes) => bytes === all[0]))
})

t.test('another version of the film has blocks of its own', async (t) => {
  const { blocks, asked } = open({ read: whole })
  await blocks.read(mediaFile, 2, signal)
  await blocks.read({ ...mediaFile, etag: '"two"' }, 2, signal)
  t.equal(asked.length, 2)
})

t.test('no more is kept than there is room for, and what was used last stays', async (t) => {
  const { blocks, asked } = open({ read: whole }, 3 * BLOCK)
  for (const n of [0, 1, 2, 0, 3, 0, 2]) await blocks.read(mediaFile, n, signal)
  t.equal(asked.length, 4, '0, 1, 2 and 3: the block that went is 1')
  await blocks.read(mediaFile, 1, signal)
  t.equal(asked.length, 5)
})

t.test('what breaks off is gone on with where it broke', async (t) => {
  let times = 0
  const { blocks, asked, clock } = open({
    read: async function* (_film, { first, last }) {
      if (times++ < 2) {
        yield content.subarray(first, first + 300)
        throw new Error('reset')
      }
      yield content.subarray(first, last + 1)
    },
  })
  const reading = blocks.read(mediaFile, 0, signal)
  await clock.advance(1_000)
  t.ok(block(0).equals(await reading))
  t.strictSame(asked, ['0-999', '300-999', '600-999'])
})

t.test('a server that is away is asked again for some fifteen seconds, with longer and longer pauses', async (t) => {
  const { blocks, asked, clock } = open({
    // oxlint-disable-next-line require-yield
    read: async function* () {
      throw new Error('connect ECONNREFUSED')
    },
  })
  let ended: unknown
  const reading = blocks.read(mediaFile, 0, signal).catch((cause: unknown) => (ended = cause))
  await clock.advance(10_000)
  t.equal(ended, undefined, 'ffmpeg waits')
  await clock.advance(10_000)
  await reading
  t.match(ended, { code: 'film-lost', message: 'The film cannot be fetched: connect ECONNREFUSED' })
  t.ok(asked.length > 5 && asked.length < 15, `${asked.length} requests`)
})

t.test('a server that comes back in time is read on from', async (t) => {
  let away = true
  const { blocks, clock } = open({
    async *read(...asked) {
      if (away) throw new Error('503')
      yield* whole(...asked)
    },
  })
  const reading = blocks.read(mediaFile, 1, signal)
  await clock.advance(12_000)
  away = false
  await clock.advance(3_000)
  t.ok(block(1).equals(await reading))
})

t.test('what will not get better is not tried again', async (t) => {
  const { blocks, asked } = open({
    // oxlint-disable-next-line require-yield
    read: async function* () {
      throw new MediaLost('The film has changed while it was read')
    },
  })
  await t.rejects(blocks.read(mediaFile, 0, signal), { message: 'The film has changed while it was read' })
  t.equal(asked.length, 1)
})

t.test('a job whose token holds does not fail by the token of another one that waits for the same block', async (t) => {
  const tokens: string[] = []
  const { blocks } = open({
    async *read(asked, ...more) {
      tokens.push(asked.token)
      if (asked.token === 'old') throw new MediaLost('No', asked.token)
      yield* whole(asked, ...more)
    },
  })
  const [old, mine] = await Promise.allSettled([blocks.read({ ...mediaFile, token: 'old' }, 0, signal), blocks.read(mediaFile, 0, signal)])
  t.match(old, { status: 'rejected', reason: { token: 'old' } })
  t.equal(mine.status, 'fulfilled')
  t.strictSame(tokens, ['old', 'mine'])
})

/** A server that sends half of a block, and the rest on demand. */
function inHalves() {
  const { promise: rest, resolve: goOn } = Promise.withResolvers<void>()
  const ends: AbortSignal[] = []
  const read: Read = async function* (_film, { first, last }, end) {
    ends.push(end)
    yield content.subarray(first, first + BLOCK / 2)
    await Promise.race([rest, new Promise((_resolve, reject) => end.addEventListener('abort', () => reject(end.reason)))])
    yield content.subarray(first + BLOCK / 2, last + 1)
  }
  return { read, goOn, ends }
}

t.test('who holds a block gets what is there of it, and waits for no more than the next bytes', async (t) => {
  const { read, goOn } = inHalves()
  const { blocks, asked } = open({ read })
  const [one, two] = [blocks.hold(mediaFile, 2, signal), blocks.hold(mediaFile, 2, signal)]
  t.ok(
    block(2)
      .subarray(0, 500)
      .equals(await one.from(0)),
  )
  t.ok(
    block(2)
      .subarray(400, 500)
      .equals(await two.from(400)),
    'from any byte of it',
  )
  let isThere = false
  const more = two.from(500).then((bytes) => {
    isThere = true
    return bytes
  })
  t.ok(
    block(2)
      .subarray(10, 500)
      .equals(await one.from(10)),
  )
  t.notOk(isThere)
  goOn()
  t.ok(
    block(2)
      .subarray(500)
      .equals(await more),
  )
  t.ok(block(2).equals(await one.from(0)))
  t.ok(block(2).equals(await blocks.read(mediaFile, 2, signal)))
  t.strictSame(asked, ['2000-2999'], 'one request for all of them')
})

t.test('what was handed on of a block stays right when its fetch breaks off and goes on', async (t) => {
  let times = 0
  const { blocks, clock, asked } = open({
    async *read(_film, { first, last }) {
      yield content.subarray(first, times === 0 ? first + 300 : last + 1)
      if (times++ === 0) throw new Error('reset')
    },
  })
  const held = blocks.hold(mediaFile, 0, signal)
  t.ok(
    block(0)
      .subarray(0, 300)
      .equals(await held.from(0)),
  )
  const more = held.from(300)
  await clock.advance(200)
  t.ok(
    block(0)
      .subarray(300)
      .equals(await more),
  )
  t.strictSame(asked, ['0-999', '300-999'])
})

t.test('a block is fetched to its end for who holds it, and no longer than it is held', async (t) => {
  const { read, ends } = inHalves()
  const { blocks } = open({ read })
  const holding = new AbortController()
  const held = blocks.hold(mediaFile, 0, holding.signal)
  await held.from(0)
  t.notOk(ends[0]?.aborted)
  const waiting = held.from(500)
  holding.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  t.ok(ends[0]?.aborted)
})

t.test('a reader of a block learns why it is unavailable', async (t) => {
  const { blocks } = open({
    async *read(_film, { first }) {
      yield content.subarray(first, first + 100)
      throw new MediaLost('The film has changed while it was read')
    },
  })
  const held = blocks.hold(mediaFile, 0, signal)
  t.equal((await held.from(0)).byteLength, 100)
  await t.rejects(held.from(100), { message: 'The film has changed while it was read' })
})

t.test('a fetch ends when nobody waits for it any more', async (t) => {
  const ends: AbortSignal[] = []
  const { blocks } = open({
    // oxlint-disable-next-line require-yield
    read: async function* (_film, _range, end) {
      ends.push(end)
      await new Promise((_resolve, reject) => end.addEventListener('abort', () => reject(end.reason)))
    },
  })
  const [one, two] = [new AbortController(), new AbortController()]
  const reading = [blocks.read(mediaFile, 0, one.signal), blocks.read(mediaFile, 0, two.signal)]
  one.abort(new Error('gone'))
  await t.rejects(reading[0]!, { message: 'gone' })
  t.notOk(ends[0]?.aborted, 'the other one still waits')
  two.abort(new Error('gone, too'))
  await t.rejects(reading[1]!, { message: 'gone, too' })
  t.ok(ends[0]?.aborted)
})

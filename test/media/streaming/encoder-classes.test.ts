/**
 * Sessions with hardware encoders beside sessions with software, over agents of both kinds. The hardware is a fake: see
 * test/media/stand-in-encoder.ts for its limits.
 */
import { createMemoryTextReader } from '../../../src/adapters/memory/text-reader.ts'
import { textReading } from '../../../src/app/derived-media/text-reading.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMedia } from '../../../src/adapters/ffmpeg/media.ts'
import { createTextTracks } from '../../../src/adapters/ffmpeg/text-tracks.ts'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createMemoryLeases } from '../../../src/adapters/memory/leases.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { createSystemIds } from '../../../src/adapters/node/ids.ts'
import { createStreamingEngine } from '../../../src/app/streaming/engine.ts'
import { isAgentHello, subjects } from '../../../src/app/streaming/agents/agent-protocol.ts'
import type { RunAssignment } from '../../../src/app/streaming/agents/run-journal.ts'
import type { Encoder } from '../../../src/vocabulary/encoder.ts'
import { mediaFfmpeg } from '../../../src/wiring/media-ffmpeg.ts'
import type { StreamAsk } from '../../../src/app/streaming/stream-answers.ts'
import { createStreamProblems } from '../../../src/app/streaming/stream-problems.ts'
import { createStreams } from '../../../src/app/streaming/stream-service.ts'
import { createTranscodeAgent } from '../../../transcode-agent/agent.ts'
import type { Prove } from '../../../transcode-agent/encoder-proof.ts'
import { programs } from '../../fixtures/media-files.ts'
import { file, session } from '../../fixtures/samples.ts'
import { standInEncoder, type Habit } from '../stand-in-encoder.ts'
import { clip } from '../../fixtures/clips.ts'
import { qualityNamed, sourceAt } from '../engine-fixture.ts'
import { decodedFrames, sourceFrames } from './media-facts.ts'

const RUNG = qualityNamed('240p')
/** A loaded machine is slow. */
const PATIENCE_MS = 120_000

/** The assumed encoders, without a proof: proofs have their own tests. */
const having =
  (encoders: readonly Encoder[], framesPerSecond: number): Prove =>
  async (name) =>
    encoders.includes(name) ? { type: 'proved', encoder: { name, framesPerSecond } } : { type: 'disproved', why: 'No such device' }

/** A node with a software agent, and one agent for each habit of a graphics card. */
async function openNodeFixture(t: Test, ...habits: readonly Habit[]) {
  const { ffmpeg, ffprobe } = await programs
  const folder = mkdtempSync(join(tmpdir(), 'marquee-classes-'))
  const awake = setInterval(() => undefined, 1_000)
  const [clock, ids, assigned] = [createSystemClock(), createSystemIds(), [] as RunAssignment[]]
  const bus = createLocalBus({ clock })
  const media = createMedia({ start: mediaFfmpeg('ffmpeg', ffprobe), clock, indexFolder: folder })
  const ready = new Set<string>()
  bus.subscribe(subjects.hello, ({ head }) => {
    if (isAgentHello(head) && head.encoders?.some(({ name }) => name === 'nvenc')) ready.add(head.agentId)
  })
  const common = { bus, clock, slots: 4 }
  const plain = createTranscodeAgent({ ...common, agentId: 'plain', ffmpegPath: ffmpeg, prove: having(['x264'], 100) })
  const cards = await Promise.all(habits.map((habit) => standInEncoder(habit)))
  // The first card is asked first, whatever load each agent measures.
  const agents = cards.map(({ ffmpegPath }, n) =>
    createTranscodeAgent({ ...common, agentId: `card-${n}`, ffmpegPath, prove: having(['x264', 'nvenc'], 10_000 / 10 ** n) }),
  )
  const engine = createStreamingEngine({
    bus,
    clock,
    ids,
    media,
    node: 'test',
    signSource: () => '',
    answerWithinMs: 20_000,
    leases: createMemoryLeases({ clock }),
    texts: createTextTracks({ clock, folder: join(folder, 'texts'), start: mediaFfmpeg(ffmpeg) }),
    reader: createMemoryTextReader(textReading),
    journal: { assigned: (assignment) => void assigned.push(assignment), ended: () => undefined },
  })
  const streams = createStreams(engine, createStreamProblems({ bus, clock, node: 'test' }), () => undefined)
  t.teardown(async () => {
    clearInterval(awake)
    await engine.close()
    await Promise.all([plain, ...agents].map((agent) => agent.close()))
    await bus.close()
    for (const card of cards) card.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const source = await sourceAt(media, await clip('b-frames.mkv'))
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && ready.size < habits.length; waitedMs += 50) await clock.sleep(50)
  return { engine, streams, agents, source, assigned, clock }
}
type NodeFixture = Awaited<ReturnType<typeof openNodeFixture>>

const askOf = ({ source }: NodeFixture, encoder: Encoder, named?: Encoder): StreamAsk => ({
  session: { ...session, id: (encoder === 'x264' ? session.id : `${session.id.slice(0, -1)}n`) as typeof session.id, encoder },
  file: { ...file, path: source.path, fingerprint: source.fingerprint, stamp: source.stamp as typeof file.stamp, media: source.media },
  token: 'token',
  signal: AbortSignal.timeout(PATIENCE_MS),
  ...(named ? { encoder: named } : {}),
})

/** Names of the segments in a playlist, and of its encoder. */
async function playlistOf({ streams }: NodeFixture, ask: StreamAsk) {
  const text = await streams.mediaPlaylist(ask, RUNG)
  if (typeof text !== 'string') throw new Error('No playlist')
  const named = [...text.matchAll(/(?:seg-\d+|init)\.\w+\?token=token(?:&encoder=(\w+))?/g)].map(([, encoder]) => encoder)
  return { count: named.length - 1, encoders: [...new Set(named)] }
}

type Given = Awaited<ReturnType<NodeFixture['streams']['segment']>>
const isGiven = (given: Given): given is Uint8Array => given instanceof Uint8Array

async function initOf({ streams }: NodeFixture, ask: StreamAsk): Promise<Uint8Array> {
  const init = await streams.init(ask, RUNG)
  if (!isGiven(init)) throw new Error(`No init: ${JSON.stringify(init)}`)
  return init
}

/** Segments in order, up to the first failure, and its reason. */
async function segmentsOf({ streams }: NodeFixture, ask: StreamAsk, { from, count }: { readonly from: number; readonly count: number }) {
  const segments: Uint8Array[] = []
  for (let segment = from; segment < count; segment++) {
    const given = await streams.segment(ask, RUNG, segment)
    if (!isGiven(given)) return { segments, why: given?.unavailable }
    segments.push(given)
  }
  return { segments, why: undefined }
}

/** Their decoded frames; there must be no errors. */
async function framesIn(init: Uint8Array, segments: readonly Uint8Array[]): Promise<readonly string[]> {
  const { hashes, complaints } = await decodedFrames(init, segments)
  if (complaints.length > 0) throw new Error(complaints.join('; '))
  return hashes
}

const agentsFor = ({ assigned }: NodeFixture, since = 0) => [...new Set(assigned.slice(since).map(({ agentId }) => agentId))]
const isDifferent = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) !== 0

t.test('a film goes out of a circuit and out of software at once, each whole and of one kind', async (t) => {
  const fixture = await openNodeFixture(t, 'works')
  const asks = { nvenc: askOf(fixture, 'nvenc'), x264: askOf(fixture, 'x264') }
  t.match(await playlistOf(fixture, asks.nvenc), { encoders: ['nvenc'] })
  const { count, encoders } = await playlistOf(fixture, asks.x264)
  t.strictSame(encoders, [undefined])
  const [byCard, bySoftware] = await Promise.all([
    segmentsOf(fixture, asks.nvenc, { from: 0, count }),
    segmentsOf(fixture, asks.x264, { from: 0, count }),
  ])
  const inits = { nvenc: await initOf(fixture, asks.nvenc), x264: await initOf(fixture, asks.x264) }
  t.ok(isDifferent(inits.nvenc, inits.x264), 'they do not go together')
  const wanted = await sourceFrames(fixture.source.path, 0)
  t.equal((await framesIn(inits.nvenc, byCard.segments)).length, wanted.length)
  t.equal((await framesIn(inits.x264, bySoftware.segments)).length, wanted.length)
  t.ok(fixture.assigned.length >= 2)
})

t.test('a circuit that fails in the middle is replaced by another of its kind, and nobody notices', async (t) => {
  const fixture = await openNodeFixture(t, 'reset', 'works')
  const ask = askOf(fixture, 'nvenc')
  const { count } = await playlistOf(fixture, ask)
  const { segments, why } = await segmentsOf(fixture, ask, { from: 0, count })
  t.equal(why, undefined)
  t.equal(segments.length, count)
  t.equal((await framesIn(await initOf(fixture, ask), segments)).length, (await sourceFrames(fixture.source.path, 0)).length)
  t.strictSame(agentsFor(fixture).toSorted(), ['card-0', 'card-1'])
})

t.test('where no other has such a circuit the session goes on with software, from playlists of its own', async (t) => {
  const fixture = await openNodeFixture(t, 'reset')
  const [before, old] = [askOf(fixture, 'nvenc'), askOf(fixture, 'nvenc', 'nvenc')]
  const { count } = await playlistOf(fixture, before)
  const byCard = await segmentsOf(fixture, old, { from: 0, count })
  t.equal(byCard.why, 'No transcoder encodes with nvenc any more')
  t.ok(byCard.segments.length >= 2, 'what it had made is there')
  t.equal(fixture.streams.problem(before.session.id), byCard.why)
  t.equal(fixture.streams.replacementEncoder(before.session)?.encoder, 'x264')
  const since = fixture.assigned.length
  const after: StreamAsk = { ...before, session: { ...before.session, encoder: 'x264' } }
  t.strictSame((await playlistOf(fixture, after)).encoders, [undefined])
  const bySoftware = await segmentsOf(fixture, after, { from: byCard.segments.length, count })
  t.equal(bySoftware.why, undefined)
  t.equal(fixture.streams.problem(before.session.id), null)
  t.ok(since < fixture.assigned.length)
  const shown = [
    ...(await framesIn(await initOf(fixture, old), byCard.segments)),
    ...(await framesIn(await initOf(fixture, after), bySoftware.segments)),
  ]
  t.equal(shown.length, (await sourceFrames(fixture.source.path, 0)).length, 'no frame twice, none missing')
  t.notOk(
    isGiven(await fixture.streams.segment({ ...after, encoder: 'nvenc' }, RUNG, count - 1)),
    'older playlists never get others’ frames',
  )
  t.equal(fixture.engine.currentEncoders().encoder, undefined, 'and new sessions begin with software')
})

t.test('an agent with a circuit that is stopped takes its sessions’ frames with it, and they go on as well', async (t) => {
  const fixture = await openNodeFixture(t, 'works')
  const ask = askOf(fixture, 'nvenc')
  const { count } = await playlistOf(fixture, ask)
  await fixture.agents[0]?.close()
  const { why } = await segmentsOf(fixture, ask, { from: 0, count })
  t.equal(why, 'No transcoder encodes with nvenc any more')
  t.equal(fixture.streams.replacementEncoder(ask.session)?.encoder, 'x264')
  const after: StreamAsk = { ...ask, session: { ...ask.session, encoder: 'x264' } }
  t.equal((await segmentsOf(fixture, after, { from: 0, count })).segments.length, count)
  t.strictSame(agentsFor(fixture), ['plain'])
})

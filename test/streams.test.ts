/** Streams as sessions and routes see them: what cannot be given says why, and nothing of where films lie. */
import t from 'tap'
import { createLocalBus } from '../src/adapters/memory/bus.ts'
import { createTestClock } from '../src/adapters/memory/clock.ts'
import { createStreamProblems } from '../src/stream-problems.ts'
import { createStreams } from '../src/streams.ts'
import { busy, missing, type Unavailable } from '../src/app/streaming/unavailable.ts'
import type { StreamingEngine } from '../src/app/streaming/engine.ts'
import type { StreamAsk } from '../src/http/streams.ts'
import { file, media, session } from './http/fake-services.ts'

const path = '/films/A Film (2019)/A Film (2019).mkv'
const ask: StreamAsk = { session, file: { ...file, path, media }, token: 'token', signal: new AbortController().signal }
const ORIGINAL = { type: 'original' } as const

/** An engine that gives one answer after the other. */
function streamsGiving(...answers: (Uint8Array | Unavailable | undefined)[]) {
  const clock = createTestClock()
  const problems = createStreamProblems({ bus: createLocalBus({ clock }), clock, node: 'one' })
  const engine: Partial<StreamingEngine> = { segment: async () => answers.shift(), leave: () => {} }
  return createStreams(engine as StreamingEngine, problems, () => {})
}

t.test('what the film does not hold is not there, and no problem of the session', async (t) => {
  const streams = streamsGiving(missing('The film holds nothing here'))
  t.equal(await streams.segment(ask, ORIGINAL, 1), undefined)
  t.equal(streams.problem(session.id), null)
})

t.test('a session whose film cannot be read says why until it can, and no path of the server', async (t) => {
  const streams = streamsGiving(
    busy(`ffmpeg ended with 1: file:${path}: No such file or directory`, 10),
    busy('ffmpeg ended with 127: /opt/ffmpeg/bin/ffmpeg: cannot be run', 10),
    new Uint8Array(4),
  )
  t.strictSame(await streams.segment(ask, ORIGINAL, 1), {
    unavailable: 'ffmpeg ended with 1: the film: No such file or directory',
    retryAfterSeconds: 10,
  })
  t.equal(streams.problem(session.id), 'ffmpeg ended with 1: the film: No such file or directory')
  await streams.segment(ask, ORIGINAL, 1)
  t.equal(streams.problem(session.id), 'ffmpeg ended with 127: …: cannot be run')
  await streams.segment(ask, ORIGINAL, 1)
  t.equal(streams.problem(session.id), null)
})

t.test('a session that is over has no problem any more', async (t) => {
  const streams = streamsGiving(busy('no'))
  await streams.segment(ask, ORIGINAL, 1)
  streams.leave(session.id)
  t.equal(streams.problem(session.id), null)
})

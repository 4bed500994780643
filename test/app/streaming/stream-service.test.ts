/** Streams as sessions and routes see them: a refusal gives its reason, and never the paths of films. */
import t from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createStreamProblems } from '../../../src/app/streaming/stream-problems.ts'
import { createStreams, withoutPaths } from '../../../src/app/streaming/stream-service.ts'
import { busy, missing, type Unavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import type { StreamingEngine } from '../../../src/app/streaming/engine.ts'
import type { Encoder } from '../../../src/vocabulary/encoder.ts'
import type { ToneMapper } from '../../../src/vocabulary/tone-mapper.ts'
import type { StreamAsk } from '../../../src/app/streaming/stream-answers.ts'
import { file, media, session } from '../../fixtures/samples.ts'

const path = '/films/A Film (2019)/A Film (2019).mkv'
const ask: StreamAsk = { session, file: { ...file, path, media }, token: 'token', signal: new AbortController().signal }
const ORIGINAL = { type: 'original' } as const

/** An engine that returns one result after the other. */
function streamsGiving(...answers: (Uint8Array | Unavailable | undefined)[]) {
  const clock = createTestClock()
  const problems = createStreamProblems({ bus: createLocalBus({ clock }), clock, node: 'one' })
  const engine: Partial<StreamingEngine> = { segment: async () => answers.shift(), leave: () => {} }
  return createStreams(engine as StreamingEngine, problems, () => {})
}

t.test('what the film does not hold is not there, and no problem of the session', async (t) => {
  const streams = streamsGiving(missing('The film has nothing at this position'))
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

/** An engine whose playlists contain their request, and which knows these encoders. */
function streamsWith(encoders: readonly Encoder[], toneMaps: readonly ToneMapper[] = ['zscale']) {
  const clock = createTestClock()
  const problems = createStreamProblems({ bus: createLocalBus({ clock }), clock, node: 'one' })
  const engine: Partial<StreamingEngine> = {
    mediaPlaylist: async ({ options }, _, query) => `${options?.encoder} seg-0.m4s?token=${query}`,
    segment: async ({ options }) => busy(`No transcoder encodes with ${options?.encoder} any more`),
    currentEncoders: () => ({
      ...(encoders[0] && encoders[0] !== 'x264' ? { encoder: encoders[0] } : {}),
      ...(toneMaps.includes('zscale') ? {} : { toneMapping: toneMaps[0] ?? 'none' }),
    }),
    toneMaps: (mapper) => toneMaps.includes(mapper),
    hasAgents: () => encoders.length > 0,
    encodes: (encoder) => encoders.includes(encoder),
  }
  return createStreams(engine as StreamingEngine, problems, () => {})
}
const BY_NVENC = { ...ask, session: { ...session, encoder: 'nvenc' } } as const

t.test('playlists name the encoder of their video where it is not the usual one, and keep it whatever the session has later', async (t) => {
  const streams = streamsWith(['x264'])
  t.equal(await streams.mediaPlaylist(ask, ORIGINAL), 'undefined seg-0.m4s?token=token')
  t.equal(await streams.mediaPlaylist(BY_NVENC, ORIGINAL), 'nvenc seg-0.m4s?token=token&encoder=nvenc')
  t.equal(await streams.mediaPlaylist({ ...ask, encoder: 'nvenc' }, ORIGINAL), 'nvenc seg-0.m4s?token=token&encoder=nvenc')
  t.match(await streams.segment({ ...ask, encoder: 'nvenc' }, ORIGINAL, 1), { unavailable: 'No transcoder encodes with nvenc any more' })
})

t.test('a session changes its encoder only where its stream stands still and nobody has that encoder', async (t) => {
  const gone = streamsWith(['x264'])
  t.equal(gone.replacementEncoder(BY_NVENC.session), undefined, 'what it has made is still there')
  await gone.segment(BY_NVENC, ORIGINAL, 1)
  t.equal(gone.replacementEncoder(BY_NVENC.session)?.encoder, 'x264')
  const there = streamsWith(['nvenc', 'x264'])
  await there.segment(BY_NVENC, ORIGINAL, 1)
  t.equal(there.replacementEncoder(BY_NVENC.session), undefined, 'it may be busy')
  const other = streamsWith(['qsv', 'x264'])
  await other.segment(BY_NVENC, ORIGINAL, 1)
  t.equal(other.replacementEncoder(BY_NVENC.session)?.encoder, 'qsv')
  const nobody = streamsWith([])
  await nobody.segment(BY_NVENC, ORIGINAL, 1)
  t.equal(nobody.replacementEncoder(BY_NVENC.session), undefined, 'nothing would be better')
  await other.segment(ask, ORIGINAL, 1)
  t.equal(other.replacementEncoder(session), undefined, 'what is made in software stays so')
})

t.test('a session begun before its tone-mapper was seen not to work stands still forever', async (t) => {
  const other = streamsWith(['x264'], ['libplacebo'])
  t.equal(other.replacementEncoder(session), undefined, 'what is made is still there')
  await other.segment(ask, ORIGINAL, 1)
  t.strictSame(other.replacementEncoder(session), { encoder: 'x264', toneMapping: 'libplacebo' })
  t.equal(other.replacementEncoder({ ...session, toneMapping: 'libplacebo' }), undefined)
  t.equal(other.replacementEncoder({ ...session, toneMapping: 'none' }), undefined, 'what needs nobody is kept')
  const pale = streamsWith(['nvenc', 'x264'], [])
  await pale.segment(BY_NVENC, ORIGINAL, 1)
  t.strictSame(pale.replacementEncoder(BY_NVENC.session), { encoder: 'nvenc', toneMapping: 'none' }, 'the encoder stays')
  const nobody = streamsWith([], [])
  await nobody.segment(ask, ORIGINAL, 1)
  t.equal(nobody.replacementEncoder(session), undefined)
})

t.test('paths of an agent, even with blanks and colons, appear in no reason that a viewer gets', (t) => {
  const mediaFile = '/films/A Film (2019)/A Film (2019).mkv'
  const said = (path: string) => withoutPaths(`ffmpeg ended with 1: ${path}: No such file or directory`, mediaFile)
  t.equal(said(mediaFile), 'ffmpeg ended with 1: the film: No such file or directory')
  for (const path of ['file:/mnt/my films/Ann: the secret/A Film.mkv', '/srv/x y/b.mkv', '"/one two/c.mkv"', '/top.mkv']) {
    t.equal(said(path), 'ffmpeg ended with 1: …: No such file or directory')
  }
  t.equal(withoutPaths("Error opening '/mnt/my films/A Film.mkv'", mediaFile), 'Error opening …')
  t.equal(withoutPaths('ffmpeg ended with SIGKILL: 3 pictures/s', mediaFile), 'ffmpeg ended with SIGKILL: 3 pictures/s')
  t.end()
})

/** Several nodes, one film: with ffmpeg, on a bus in this process and over NATS. */
import t, { type Test } from 'tap'
import { hasProc, processesWith } from '../../fixtures/processes.ts'
import { overNats } from '../../fakes/nats.ts'
import { EVERY_CODEC } from './capable-player.ts'
import { clip, ownClip } from '../../fixtures/clips.ts'
import { inProcess, openPorts, overNatsAt, type Connect, type Ports } from './engines.ts'
import { bytesOf, numbers, openEngineFixture, qualityNamed, renditionNamed } from '../engine-fixture.ts'

const ask = (viewer: string) => ({ viewer, signal: AbortSignal.timeout(60_000) })
const token = 'user:session:1:00'

t.test('inside one process', async (t) => engineTests(t, inProcess))
await overNats(t, (t, nats) =>
  engineTests(t, () => {
    const url = nats.url()
    return overNatsAt(url)
  }),
)

function engineTests(t: Test, connecting: () => Connect): void {
  t.test('players whose requests alternate between two nodes play what one node would have given them', async (t) => {
    const path = await clip('open-gop.mkv')
    const [pair, fixture] = [await openPorts(connecting()), await openEngineFixture(t)]
    const source = { ...(await pair.source(path)), options: { capabilities: EVERY_CODEC } }
    for (const name of ['240p', 'original', 'audio-0']) {
      const quality = qualityNamed(name)
      const { count } = await renditionNamed(fixture, source, name)
      for (const segment of numbers(count)) {
        const [first, second] = segment % 2 ? pair.engines : pair.engines.toReversed()
        const given = bytesOf(await first!.segment(source, { quality, segment }, ask('ann')))
        const again = bytesOf(await second!.segment(source, { quality, segment }, ask('ben')))
        t.ok(Buffer.from(given).equals(again), `${name} ${segment}`)
      }
      const inits = await Promise.all([...pair.engines, fixture.engine].map((engine) => engine.init(source, quality, ask('ann'))))
      for (const init of inits) t.ok(Buffer.from(bytesOf(init)).equals(bytesOf(inits[0])), `${name} init`)
    }
    // Transcoded segments differ slightly with the start of their run; copied ones do not.
    const copy = qualityNamed('original')
    for (const [segment, bytes] of await fixture.fetch(source, copy, numbers(3))) {
      const given = bytesOf(await pair.engines[0]!.segment(source, { quality: copy, segment }, ask('ann')))
      t.ok(Buffer.from(given).equals(bytes), `segment ${segment} of a copy`)
    }
    const [master, other] = await Promise.all(pair.engines.map((engine) => engine.master(source, token, ask('ann'))))
    t.equal(other, master)
    await Promise.all([pair.close(), fixture.close()])
  })

  t.test('two viewers at two nodes share one ffmpeg', { skip: !hasProc }, async (t) => {
    const path = await ownClip(t, 'b-frames.mkv')
    const pair = await openPorts(connecting())
    const source = await pair.source(path)
    const place = { quality: qualityNamed('240p'), segment: 0 }
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, processesWith(path).length)), 5)
    const answers = await Promise.all(pair.engines.map((engine, index) => engine.segment(source, place, ask(`viewer-${index}`))))
    clearInterval(watch)
    t.equal(most, 1)
    t.ok(Buffer.from(bytesOf(answers[0])).equals(bytesOf(answers[1])))
    await pair.close()
  })

  t.test('a node that stops in the middle is followed without an error or a gap', async (t) => {
    const pair = await openPorts(connecting())
    const source = await pair.source(await clip('b-frames.mkv'))
    const quality = qualityNamed('240p')
    await play(pair, { source, quality, from: 0, through: 2 })
    const stopped = pair.engines[0]!.close()
    const next = await pair.engines[1]!.segment(source, { quality, segment: 6 }, ask('ann'))
    t.ok(bytesOf(next).byteLength > 0)
    await stopped
    await pair.close()
  })
}

interface Stretch {
  readonly source: Awaited<ReturnType<Ports['source']>>
  readonly quality: ReturnType<typeof qualityNamed>
  readonly from: number
  readonly through: number
}

async function play({ engines }: Ports, { source, quality, from, through }: Stretch): Promise<void> {
  for (let segment = from; segment <= through; segment++) {
    bytesOf(await engines[segment % engines.length]!.segment(source, { quality, segment }, ask('ann')))
  }
}

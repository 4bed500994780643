/** The header of copied HE-AAC matches the codec string. */
import t from 'tap'
import { initSegment } from '../../../transcode-agent/init-segment.ts'
import { silentMoov } from '../../../transcode-agent/silence.ts'
import { programs } from '../../fixtures/media-files.ts'

const HALF = { codec: 'aac', channels: 2, sampleRate: 44_100, frameSamples: 2048 }

async function implicitMoov(): Promise<Uint8Array> {
  const moov = await silentMoov((await programs).ffmpeg, HALF)
  if (!moov) throw new Error('ffmpeg makes no AAC')
  return moov
}

t.test('a header that leaves spectral band replication to be found names object type 5, both rates and the core', async (t) => {
  const moov = await implicitMoov()
  t.equal(initSegment(moov).codec, 'mp4a.40.2', 'as ffmpeg writes it')
  const init = initSegment(moov, { sbrRate: 44_100 })
  t.equal(init.codec, 'mp4a.40.5')
  t.ok(
    Buffer.from(init.bytes).includes(Buffer.from('05808080042b920800', 'hex')),
    'object type 5, 22,050 Hz, 2 channels, 44,100 Hz, AAC-LC',
  )
  t.equal(init.timescale, 22_050)
})

t.test('a header whose core has another rate than half is left as it is', async (t) => {
  const moov = await implicitMoov()
  t.strictSame(initSegment(moov, { sbrRate: 48_000 }), initSegment(moov))
})

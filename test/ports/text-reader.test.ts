/** Tests that every text reader must pass. */
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { createMemoryTextReader } from '../../src/adapters/memory/text-reader.ts'
import { createWorkerTextReader } from '../../src/adapters/worker/text-reader.ts'
import { textReading } from '../../src/app/derived-media/text-reading.ts'
import { startTextThread } from '../../src/wiring/text-thread.ts'

const LARGE = 20_000
const CUE = '1\n00:00:01,000 --> 00:00:02,000\nПривет\n\n'
const FORM = { format: 'subrip', language: null } as const

for (const [name, reader] of [
  ['memory', createMemoryTextReader(textReading)],
  ['worker', createWorkerTextReader({ clock: createTestClock(), reading: textReading, start: startTextThread })],
] as const) {
  t.test(`${name}: reads subtitles, scripts and metadata, small and large`, async (t) => {
    t.teardown(() => reader.close())
    for (const padding of ['', '\n'.repeat(LARGE)]) {
      const subtitle = Buffer.from(CUE + padding)
      t.strictSame(await reader.cues(subtitle, FORM), [{ startMs: 1000, endMs: 2000, settings: '', text: 'Привет' }])
      const script = await reader.script(subtitle, { ...FORM, byMs: 500, width: 1920, height: 1080 })
      t.match(Buffer.from(script).toString(), /Dialogue: 0,0:00:01\.50,0:00:02\.50,Plain,.*Привет/)
      t.match(await reader.nfo(Buffer.from(`<movie><title>One</title></movie>${padding}`)), { title: 'One' })
      t.equal(await reader.nfo(Buffer.from(`no xml${padding}`)), undefined)
    }
  })
}

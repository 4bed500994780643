/** Downmixed and amplified audio: each channel at its position, with the right loudness, and without audible joins. */
import { execa } from 'execa'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { stereoMix, surroundMix } from '../../../src/domain/streaming/downmix.ts'
import { clientCapabilities } from '../../../src/domain/streaming/player-capabilities.ts'
import { segmentCount } from '../../../src/domain/streaming/segment-grid.ts'
import type { AudioRendition } from '../../../src/domain/streaming/rendition.ts'
import { channelLayoutOf } from '../../../src/domain/streaming/channel-layout.ts'
import { bothFfmpegs, decibels, decoded, delayOf, levelOf, RATE, toneOf, tones } from '../tones.ts'
import { runFrom, type RunResult } from '../run-from.ts'
import { segmentTable } from '../../fixtures/segment-table.ts'
import { openEngineFixture } from '../engine-fixture.ts'

const AMPLITUDE = 0.4
const SECONDS = 8
/** Difference between two runs of an encoder, from rounding. */
const ROUNDED = 0.04
const CAPABILITIES = clientCapabilities({ audio: [{ codec: 'aac', maxChannels: 6 }] })
const folder = mkdtempSync(join(tmpdir(), 'marquee-mixed-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** A film with a different tone in each channel. */
async function mediaFile(ffmpeg: string, layout: string): Promise<string> {
  const path = join(folder, `${layout}-${ffmpeg.length}.mkv`)
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=96x54:rate=25:duration=${SECONDS}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'flac']
  await execa(ffmpeg, ['-v', 'error', '-nostdin', '-y', ...video, ...tones(layout, AMPLITUDE, SECONDS), ...codecs, path], {
    timeout: 60_000,
  })
  return path
}

async function heard(ffmpeg: string, { init }: RunResult, segments: readonly Uint8Array[], channels: number) {
  const path = join(folder, 'heard.mp4')
  writeFileSync(path, Buffer.concat([init, ...segments]))
  return decoded(ffmpeg, ['-i', path], channels)
}

const mixOf = ({ form }: AudioRendition, layout: string) =>
  (form === 'aac51' ? surroundMix : stereoMix)(channelLayoutOf({ channels: layout === '7.1' ? 8 : 6, channelLayout: layout }))

/** Of an AudioSpecificConfig (ISO 14496-3, 1.6.2.1): five bits of object type, four of rate, four of channels. */
function channelConfiguration(init: Uint8Array): number {
  const esds = Buffer.from(init).subarray(Buffer.from(init).indexOf('esds'))
  const at = esds.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80])) + 5
  return (esds[at + 1]! >> 3) & 0x0f
}

const rms = (samples: readonly number[]): number => Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length)

for (const [at, ffmpeg] of (await bothFfmpegs()).entries()) {
  for (const layout of at === 0 ? ['5.1(side)', '7.1'] : ['7.1']) {
    t.test(`${layout} is mixed and turned down the same from wherever it is begun, ffmpeg ${at}`, async (t) => {
      const fixture = await openEngineFixture(t, { ffmpegPath: ffmpeg })
      const path = await mediaFile(ffmpeg, layout)
      const audioGain = [{ stream: 1, stereoDb: -3.5, surroundDb: -2 }]
      const source = { ...(await fixture.source(path)), options: { capabilities: CAPABILITIES, audioGain } }
      await fixture.media.index(path, source.fingerprint, AbortSignal.timeout(30_000))
      const plan = await fixture.engine.plan(source)
      t.strictSame(
        plan.audio.map(({ form, channels }) => [form, channels]),
        [
          ['aac51', 6],
          ['aac', 2],
        ],
      )
      for (const rendition of plan.audio) {
        const gainDb = rendition.form === 'aac51' ? -2 : -3.5
        const whole = await runFrom({ path, plan, rendition, from: 0, ffmpegPath: ffmpeg })
        const last = segmentCount(rendition.grid) - 1
        t.strictSame([...whole.segments.keys()].length, last + 1)
        t.equal(channelConfiguration(whole.init), rendition.channels)
        const samples = await heard(ffmpeg, whole, [...whole.segments.values()], rendition.channels)
        for (const [row, { speaker, levels }] of mixOf(rendition, layout).entries()) {
          for (const [channel, level] of levels.entries()) {
            const found = decibels(levelOf(samples[row]!, toneOf(channel), 2 * RATE) / AMPLITUDE)
            if (level === 0) t.ok(found < -40, `${rendition.name}: ${speaker} does not hear ${channel}: ${found}`)
            else t.ok(Math.abs(found - decibels(level) - gainDb) < 0.5, `${rendition.name}: ${speaker} hears ${channel} at ${found} dB`)
          }
        }
        const late = delayOf(samples[0]!, toneOf(0), 2 * RATE)
        t.ok(Math.abs(late) < 1, `${rendition.name}: ${late} samples late`)

        const from = 1
        const again = await runFrom({ path, plan, rendition, from, count: 2, ffmpegPath: ffmpeg })
        t.ok(Buffer.from(again.init).equals(whole.init), 'one init segment fits both')
        const pair = (run: RunResult) => [from, from + 1].map((segment) => run.segments.get(segment)!)
        const times = (run: RunResult) => pair(run).map((bytes) => segmentTable(bytes).samples.map(({ pts }) => pts))
        t.strictSame(times(again), times(whole), 'the same frames at the same times')
        const before = segmentTable(whole.segments.get(from - 1)!)
        t.equal(segmentTable(again.segments.get(from)!).start, before.end, 'no gap')
        const [first, second] = [
          await heard(ffmpeg, whole, pair(whole), rendition.channels),
          await heard(ffmpeg, again, pair(again), rendition.channels),
        ]
        const differences = first.map((one, channel) => {
          const [a, b] = [one.subarray(4_096), second[channel]!.subarray(4_096)]
          return rms(Array.from(a, (sample, index) => sample - b[index]!)) / Math.max(1e-3, rms([...a]))
        })
        t.ok(
          Math.max(...differences) < ROUNDED,
          `${rendition.name}: waveforms differ by ${differences.map((one) => one.toFixed(4)).join()}`,
        )
      }
    })
  }
}

import { execa } from 'execa'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createMatroskaReader } from '../../../src/adapters/ffmpeg/piped-matroska.ts'
import { programs } from '../../fixtures/media-files.ts'
import { makeSubtitledClip, subRip } from '../subtitled.ts'

t.test('blocks are the same however the bytes come', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-matroska-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const srt = subRip([1, 2, 'one'], [7.5, 8, 'two'], [9, 9.5, 'three'])
  const path = await makeSubtitledClip({ folder, name: 'film.mkv', seconds: 10, subtitles: [['srt', srt]] })
  const args = [
    '-v',
    'error',
    '-copyts',
    '-i',
    path,
    '-map',
    '0:2',
    '-map',
    '0:1',
    '-c',
    'copy',
    '-avoid_negative_ts',
    'disabled',
    '-f',
    'matroska',
    'pipe:1',
  ]
  const { stdout: bytes } = await execa((await programs).ffmpeg, args, { encoding: 'buffer' })
  const read = (size: number) => {
    const reader = createMatroskaReader()
    const blocks = []
    for (let at = 0; at < bytes.length; at += size) blocks.push(...reader.push(bytes.subarray(at, at + size)))
    return blocks.map(({ track, startMs, durationMs, payload }) => ({ track, startMs, durationMs, text: payload.toString('latin1') }))
  }
  const whole = read(bytes.length)
  t.strictSame(
    whole.filter(({ track }) => track === 1),
    [
      { track: 1, startMs: 1000, durationMs: 1000, text: 'one' },
      { track: 1, startMs: 7500, durationMs: 500, text: 'two' },
      { track: 1, startMs: 9000, durationMs: 500, text: 'three' },
    ],
  )
  t.ok(whole.length > 300, 'the sound is there too')
  for (const size of [1, 7, 4096]) t.strictSame(read(size), whole)
})

t.test('what is no Matroska is refused or gives nothing, and never takes long', async (t) => {
  const reader = createMatroskaReader()
  t.throws(() => reader.push(Buffer.alloc(1000)), { message: 'No Matroska' })
  const blocks = createMatroskaReader().push(Buffer.from('WEBVTT is a text and no film'.repeat(1000)))
  t.strictSame(blocks, [])
})

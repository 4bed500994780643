import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import t, { type Test } from 'tap'
import { createMediaFonts } from '../../../src/adapters/ffmpeg/media-fonts.ts'
import { MOST_FONTS } from '../../../src/ports/media-fonts.ts'
import { programs } from '../../fixtures/media-files.ts'

const signal = AbortSignal.timeout(60_000)
const fingerprint = 'ab'.repeat(32)
const TRUETYPE = Buffer.from('0001000000010000', 'hex')
const OPENTYPE = Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(3000, 1)])
const COLLECTION = Buffer.concat([Buffer.from('ttcf'), Buffer.alloc(20, 2)])

interface Attachment {
  readonly bytes: Uint8Array
  readonly name: string
  readonly type: string
}

/** A film with those attachments, in an otherwise empty folder. */
async function clipWith(t: Test, attachments: readonly Attachment[]) {
  const root = mkdtempSync(join(tmpdir(), 'marquee-fonts-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'a', 'b', 'data')
  mkdirSync(folder, { recursive: true })
  const options = attachments.flatMap(({ bytes, name, type }, index) => {
    const file = join(root, `made-${index}`)
    writeFileSync(file, bytes)
    return ['-attach', file, `-metadata:s:t:${index}`, `filename=${name}`, `-metadata:s:t:${index}`, `mimetype=${type}`]
  })
  const path = join(root, 'film.mkv')
  const { ffmpeg } = await programs
  const video = ['-f', 'lavfi', '-i', 'color=size=32x32:rate=5:duration=1', '-c:v', 'libx264']
  await execa(ffmpeg, ['-v', 'error', '-nostdin', ...video, ...options, path], { timeout: 60_000 })
  const before = new Set(readdirSync(root, { recursive: true }).map(String))
  const news = () =>
    readdirSync(root, { recursive: true })
      .map(String)
      .filter((name) => !before.has(name))
  return { mediaFile: { path, fingerprint, container: 'matroska' }, fonts: createMediaFonts({ folder }), folder, root, news }
}

const hex = (fonts: readonly Uint8Array[] = []): readonly string[] => fonts.map((font) => Buffer.from(font).toString('hex'))

t.test('fonts are recognised by their first bytes, regardless of their names and declared types', async (t) => {
  const { mediaFile, fonts } = await clipWith(t, [
    { bytes: TRUETYPE, name: 'a.ttf', type: 'application/x-truetype-font' },
    { bytes: Buffer.from('#!/bin/sh\nrm -rf /'), name: 'b.ttf', type: 'font/ttf' },
    { bytes: OPENTYPE, name: 'c.jpg', type: 'image/jpeg' },
    { bytes: COLLECTION, name: 'd', type: 'application/octet-stream' },
    { bytes: Buffer.from('<svg/>'), name: 'e.otf', type: 'application/vnd.ms-opentype' },
  ])
  t.strictSame(hex(await fonts.of(mediaFile, signal)), hex([TRUETYPE, OPENTYPE, COLLECTION]))
})

t.test('what a film calls its fonts becomes no name of a file', async (t) => {
  const names = ['../../../escaped.ttf', '/tmp/marquee-escaped.ttf', 'it\'s, [a] "name"; rm:\\x.ttf', 'line\nbreak.ttf', '..', '-y']
  const { mediaFile, fonts, news } = await clipWith(
    t,
    names.map((name) => ({ bytes: TRUETYPE, name, type: 'font/ttf' })),
  )
  t.equal((await fonts.of(mediaFile, signal))?.length, names.length)
  t.strictSame(news().toSorted(), ['a/b/data/ab', `a/b/data/ab/${fingerprint}.fonts`])
  t.notOk(readdirSync('/tmp').includes('marquee-escaped.ttf'))
})

t.test('they are taken out once, and are there when the film is not', async (t) => {
  const { mediaFile, fonts, root } = await clipWith(t, [{ bytes: TRUETYPE, name: 'a.ttf', type: 'font/ttf' }])
  t.strictSame(hex(await fonts.of(mediaFile, signal)), hex([TRUETYPE]))
  rmSync(mediaFile.path)
  t.strictSame(hex(await fonts.of(mediaFile, signal)), hex([TRUETYPE]))
  const other = { ...mediaFile, fingerprint: 'cd'.repeat(32) }
  t.equal(await fonts.of(other, signal), undefined, 'not known of a film that is away')
  writeFileSync(mediaFile.path, readFileSync(join(root, 'made-0')))
  t.strictSame(await fonts.of(other, signal), [], 'none of what is no film')
})

t.test('there are no more than so many', async (t) => {
  const many = Array.from({ length: MOST_FONTS + 3 }, (_, n) => ({
    bytes: Buffer.concat([TRUETYPE, Buffer.from([n])]),
    name: `${n}`,
    type: 'font/ttf',
  }))
  const { mediaFile, fonts } = await clipWith(t, many)
  t.equal((await fonts.of(mediaFile, signal))?.length, MOST_FONTS)
})

t.test('a film of another container has none, and a fingerprint is no path', async (t) => {
  const { mediaFile, fonts, news } = await clipWith(t, [{ bytes: TRUETYPE, name: 'a.ttf', type: 'font/ttf' }])
  t.strictSame(await fonts.of({ ...mediaFile, container: 'mp4' }, signal), [])
  await t.rejects(fonts.of({ ...mediaFile, fingerprint: '../x' }, signal))
  t.strictSame(news(), [])
})

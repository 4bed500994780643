/** The fonts of burned-in subtitles: those embedded in the film, then those of the machine; and the error on a machine without any. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMediaFonts } from '../../../src/adapters/ffmpeg/media-fonts.ts'
import { isUnavailable } from '../../../src/app/streaming/segments/unavailable.ts'
import { setVariable } from '../../fixtures/environment.ts'
import { brightBox, darkClip, folderFor, mostDiffering, frameAt, shownIn } from '../burnt-clips.ts'
import { firstFrame, openEngineFixture } from '../engine-fixture.ts'

const FONT = '/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf'
const SIZE = { width: 192, height: 108 }
const SCRIPT = `[Script Info]
ScriptType: v4.00+
PlayResX: 192
PlayResY: 108

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Outline, Alignment
Style: Sign,Liberation Serif,40,&H00FFFFFF,&H00000000,&H00000000,1,5

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.00,0:00:04.00,Sign,,0,0,0,,Serif
`

/** A machine without fonts. */
function withoutFonts(t: Test, folder: string): void {
  const config = join(folder, 'fonts.conf')
  writeFileSync(config, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
  setVariable(t, 'FONTCONFIG_FILE', config)
}

async function clipWith(folder: string, name: string, attached: readonly string[] = []): Promise<string> {
  const script = join(folder, 'styled.ass')
  writeFileSync(script, SCRIPT)
  // Declared as an image: the declared type is irrelevant.
  const output = attached.length > 0 ? ['-attach', ...attached, '-metadata:s:t:0', 'mimetype=image/png'] : []
  return darkClip(join(folder, name), { beside: [script], seconds: 4, output })
}

/** The first segment, or why there is none. */
async function firstOf(t: Test, path: string, folder: string) {
  const fixture = await openEngineFixture(t, { fonts: createMediaFonts({ folder: join(folder, 'kept') }) })
  const source = { ...(await fixture.source(path)), options: { burnIn: 0 } }
  const { quality } = await firstFrame(fixture, source)
  const answer = await fixture.engine.segment(source, { quality, segment: 0 }, { viewer: 'ann', signal: AbortSignal.timeout(60_000) })
  if (answer === undefined || isUnavailable(answer)) return answer?.unavailable
  return shownIn(await fixture.init(source, quality), [answer], SIZE)
}

t.test('a machine without fonts draws with those of the film, as one does that has them', { skip: !existsSync(FONT) }, async (t) => {
  const folder = folderFor(t)
  const [bare, full] = [await clipWith(folder, 'bare.mkv'), await clipWith(folder, 'full.mkv', [FONT])]
  const wanted = await firstOf(t, bare, folder)
  withoutFonts(t, folder)
  const found = await firstOf(t, full, folder)
  if (typeof wanted !== 'object' || typeof found !== 'object') return t.fail(JSON.stringify([wanted, found]))
  t.ok(brightBox(frameAt(found, 1_000), SIZE), 'there are words')
  t.ok(mostDiffering(wanted, found) < 4, `${mostDiffering(wanted, found)} points`)
  return undefined
})

t.test('a machine without fonts reports that, and never shows the film without its words', async (t) => {
  const folder = folderFor(t)
  const path = await clipWith(folder, 'bare.mkv')
  withoutFonts(t, folder)
  t.equal(await firstOf(t, path, folder), 'This transcoder cannot draw subtitles: its machine has no fonts')
})

import t from 'tap'
import { createMemoryTrickplayMaker } from '../../../src/adapters/memory/trickplay.ts'
import { makeTrickplay } from '../../../src/app/derived-media/trickplay-maker.ts'
import { mediaOf, videoOf } from '../../fixtures/movie-facts.ts'

/** The thumbnails on each sheet of a film of that length. */
async function sheetsOf(durationMs: number, videoEndMs = durationMs): Promise<readonly string[]> {
  const sheets: string[] = []
  const index = { zeroMs: 0, keyframesMs: [0], videoStartMs: 0, audioStartMs: 0, videoEndMs }
  const mediaFile = { path: '/films/Alien.mkv', fingerprint: 'ab'.repeat(32), media: mediaOf(durationMs, { video: [videoOf(1920, 1080)] }) }
  const draft = { add: async (sheet: Uint8Array) => void sheets.push(Buffer.from(sheet).toString().trim()) }
  const making = { maker: createMemoryTrickplayMaker(), media: { index: async () => index } }
  await makeTrickplay(making, mediaFile, { draft, signal: AbortSignal.timeout(60_000) })
  return sheets
}

t.test('the last moments of a film are not black to players that count thumbnails by the clock', async (t) => {
  t.strictSame(await sheetsOf(20_000), ['0 10000'])
  t.strictSame(await sheetsOf(20_552), ['0 10000 10000'])
  t.strictSame(await sheetsOf(29_000, 20_500), ['0 10000 10000'])
  const [whole = '', ...more] = await sheetsOf(1_000_500)
  t.strictSame([whole.split(' ').length, more], [100, []], 'no sheet of its own')
})

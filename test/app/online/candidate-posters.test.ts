import sharp from 'sharp'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { createSharpImageMaker } from '../../../src/adapters/sharp/sharp-image-maker.ts'
import { createCandidatePosters } from '../../../src/app/online/candidate-posters.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { OnlineAway } from '../../../src/ports/online-metadata.ts'
import { jpeg } from '../../fixtures/images.ts'
import { createScriptedProvider } from '../scripted-provider.ts'

const never = new AbortController().signal
const MINUTE_MS = 60_000

async function opened() {
  const provider = createScriptedProvider()
  const clock = createTestClock()
  provider.images.set('/large.jpg', await jpeg(600, 900)).set('/page.jpg', Buffer.from('<html>'))
  return { provider, clock, posters: createCandidatePosters({ clock, maker: createSharpImageMaker(), online: provider }) }
}

t.test('a poster is made small, once for all who ask at the same time, and is kept for ten minutes', async (t) => {
  const { provider, clock, posters } = await opened()
  const [one, other] = await Promise.all([posters.get('/large.jpg', never), posters.get('/large.jpg', never)])
  if (isRefusal(one)) throw new Error(one.message)
  t.equal(one, other)
  t.match(await sharp(one).metadata(), { format: 'jpeg', width: 240, height: 360 })
  await clock.advance(9 * MINUTE_MS)
  t.equal(await posters.get('/large.jpg', never), one)
  t.strictSame(provider.asked, ['small image /large.jpg'])
  await clock.advance(2 * MINUTE_MS)
  t.notOk(isRefusal(await posters.get('/large.jpg', never)))
  t.equal(provider.asked.length, 2)
})

t.test('what is no image, or is not there, is not found', async (t) => {
  const { posters } = await opened()
  t.match(await posters.get('/page.jpg', never), { refusal: 'not-found' })
  t.match(await posters.get('/absent.jpg', never), { refusal: 'not-found' })
})

t.test('a provider that is away is the reason, and is asked again', async (t) => {
  const { provider, posters } = await opened()
  provider.fail(new OnlineAway('tmdb.test has had enough calls', { retryAfterMs: 2_000 }))
  t.match(await posters.get('/large.jpg', never), { refusal: 'unavailable', retryAfterSeconds: 2 })
  provider.fail()
  t.notOk(isRefusal(await posters.get('/large.jpg', never)))
})

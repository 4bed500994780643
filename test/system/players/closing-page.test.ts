/** A closing web page: the only request that it can still send ends its session at the film's position. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { launch } from 'puppeteer-core'
import { makeClip } from '../../fixtures/media-files.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { ADMIN, scannedMovies } from '../whole/server-process.ts'
import { openPlayersServer } from './players-server.ts'
import { chromiumOptions, closeBrowser, findChromium } from '../../fixtures/browsers.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const WITHIN_MS = 10_000
const browserPath = findChromium()

/** In the page: signs in by cookie, starts a session, and ends it at 33.25 seconds when the page closes. */
const PLAY_UNTIL_CLOSED = `async ({ account, movieId }) => {
  const send = async (path, body) =>
    (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()
  await send('/api/auth/sign-in/email', account)
  const { id } = await send('/v1/playback/sessions', { movieId })
  const end = () => void fetch('/v1/playback/sessions/' + id + '?position=33.25', { method: 'DELETE', keepalive: true })
  addEventListener('pagehide', end)
  return id
}`

t.test('a page that is closed ends its session with one request, which carries the position and only a cookie', async (t) => {
  if (!browserPath) return tellMissing(t, 'chromium')
  const folder = testFolder(t)
  const media = join(folder, 'media')
  await mkdir(media)
  await makeClip({ path: join(media, 'A Clip (2020).mkv'), seconds: 60 })
  const { api, url } = await openPlayersServer(t, { folder, media })
  const movieId = (await scannedMovies(api)).get('A Clip')?.id
  const browser = await launch(chromiumOptions(browserPath))
  t.teardown(() => closeBrowser(browser))
  const page = await browser.newPage()
  await page.goto(`${url}/docs`)
  const id = await page.evaluate(`(${PLAY_UNTIL_CLOSED})(${JSON.stringify({ account: ADMIN, movieId })})`)
  t.equal((await api.send('GET', `/v1/playback/sessions/${String(id)}`)).status, 200)
  await page.close({ runBeforeUnload: false })
  const deadline = Date.now() + WITHIN_MS
  while ((await api.send('GET', `/v1/playback/sessions/${String(id)}`)).status !== 404 && Date.now() < deadline) await sleep(50)
  const { json } = await api.send('GET', '/v1/history')
  t.match(json, { items: [{ id, endReason: 'client', endPosition: 33.25 }] })
  t.match((await api.send('GET', `/v1/movies/${movieId}`)).json, { position: 33.25 })
})

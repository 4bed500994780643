import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { clip } from '../../fixtures/clips.ts'
import { launchBrowser, needsBrowser, quiet, signInAt, startWebServer, visit } from './browser-fixture.ts'
import { scannedMovies } from '../../system/whole/server-process.ts'

/** Would run if it were ever interpreted as HTML. No slash: it is also a file's name. */
const planted = (what: string): string => `<img src=x onerror=globalThis.planted='${what}'>${what}`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const tag = (name: string): string => `<${name}>${escaped(planted(name))}</${name}>`

const browserPath = needsBrowser(t)
if (browserPath) {
  const media = await mkdtemp(join(tmpdir(), 'marquee-planted-'))
  t.teardown(() => rm(media, { recursive: true, force: true }))
  const folder = join(media, planted('folder'))
  await mkdir(folder)
  await copyFile(await clip('b-frames.mkv'), join(folder, `${planted('file')}.mkv`))
  const texts = ['title', 'originaltitle', 'plot', 'tagline', 'mpaa', 'genre', 'tag', 'studio', 'country', 'director'].map(tag).join('')
  const actor = `<actor><name>${escaped(planted('actor'))}</name><role>${escaped(planted('role'))}</role></actor>`
  const nfo = `<movie>${texts}<set><name>${escaped(planted('collection'))}</name></set>${actor}</movie>`
  await writeFile(join(folder, 'movie.nfo'), nfo)
  const server = await startWebServer(t, { media })

  t.test('markup in whatever people, files and providers can name is shown as text', async (t) => {
    const { api } = server
    const [film] = [...(await scannedMovies(api)).values()]
    const { items } = (await api.send('GET', '/v1/libraries')).json as unknown as { items: readonly { id: string }[] }
    await api.send('PATCH', `/v1/libraries/${items[0]?.id}`, { name: planted('library') })
    const more = await mkdtemp(join(tmpdir(), 'marquee-planted-'))
    t.teardown(() => rm(more, { recursive: true, force: true }))
    t.equal((await api.send('POST', '/v1/libraries', { name: planted('another'), paths: [more] })).status, 201)
    await api.send('PATCH', '/v1/users/me', { name: planted('person') })
    await api.send('PUT', `/v1/movies/${film?.id}/watchlist`)
    await api.send('POST', '/v1/playback/sessions', { movieId: film?.id, client: { device: planted('device') } })
    const visitor = await visit(t, await launchBrowser(t, browserPath))
    const { page } = visitor
    await signInAt(visitor, server.url)
    const { cast } = (await api.send('GET', `/v1/movies/${film?.id}/credits`)).json as unknown as { cast: readonly { personId: string }[] }
    const { collectionId } = (await api.send('GET', `/v1/movies/${film?.id}`)).json as unknown as { collectionId: string }
    const pages: readonly (readonly [string, readonly string[]])[] = [
      ['/', ['title', 'person', 'library', 'another']],
      ['/films', ['title', 'library', 'another']],
      [`/films?genre=${encodeURIComponent(planted('genre'))}`, ['title', 'genre']],
      [
        `/films/${film?.id}`,
        ['title', 'originaltitle', 'plot', 'tagline', 'genre', 'studio', 'collection', 'actor', 'role', 'director', 'file'],
      ],
      [`/people/${cast[0]?.personId}`, ['actor', 'role', 'title']],
      [`/collections`, ['collection']],
      [`/collections/${collectionId}`, ['collection', 'title']],
      ['/watchlist', ['title']],
      [`/search?q=${encodeURIComponent(planted('title'))}`, []],
      [`/search?q=img`, ['title']],
      ['/settings', ['person']],
      ['/now', ['title', 'person', 'device']],
      ['/admin/libraries', ['library', 'another']],
      [`/admin/libraries/${items[0]?.id}`, ['library']],
      ['/admin/users', ['person']],
      [`/admin/users/${api.userId}`, ['person']],
    ]
    for (const [path, expected] of pages) {
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector('main h1')
      // The choices of the filters are asked for once somebody turns to them.
      if (path === '/films') await page.hover('.filters')
      await quiet(page)
      const shown = await page.$eval('body', (body) => `${document.title} ${body.textContent}`)
      for (const what of expected) t.ok(shown.includes(planted(what)), `${path} shows ${what}`)
      t.equal(await page.$('[onerror], img[src="x"]'), null, path)
      t.equal(await page.evaluate('globalThis.planted'), undefined, path)
    }
    // A notification with the title in it.
    await page.goto(`${server.url}/films/${film?.id}`)
    await page.waitForSelector('[data-focus="watched"]')
    await page.keyboard.press('w')
    await page.waitForSelector('.toast')
    t.ok((await page.$eval('.toasts', (toasts) => toasts.textContent)).includes(planted('title')))
    t.equal(await page.evaluate('globalThis.planted'), undefined)
    t.strictSame(visitor.complaints, [])
  })
}

import t from 'tap'
import { KnownDevices, type Page } from 'puppeteer-core'
import { askedBy, launchBrowser, needsBrowser, quiet, signInAt, signInByCookie, until, visit } from './browser-fixture.ts'
import { startMoviesServer } from './movies-server.ts'

const FILMS = 300
const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startMoviesServer(t, { films: FILMS })

  interface Listed {
    readonly ids: readonly string[]
    readonly total: number
  }

  /** As the API lists them. */
  async function listed(search: string): Promise<Listed> {
    const ids: string[] = []
    const query = new URLSearchParams(search)
    query.set('limit', '100')
    query.set('include', 'total')
    for (;;) {
      const page = (await server.api.send('GET', `/v1/movies?${query}`)).json as unknown as Answer
      ids.push(...page.items.map(({ id }) => id))
      if (page.nextCursor === null) return { ids, total: page.total }
      query.set('cursor', page.nextCursor)
    }
  }

  interface Answer {
    readonly items: readonly { readonly id: string }[]
    readonly nextCursor: string | null
    readonly total: number
  }

  /** The films whose cards are rendered, by their index in the list. */
  const drawn = (page: Page): Promise<readonly (readonly [number, string])[]> =>
    page.$$eval('.long-list [data-index] a', (links) =>
      links.map((link) => {
        const index = Number(link.closest<HTMLElement>('[data-index]')?.dataset['index'])
        return [index, link.dataset['focus']?.split(' ')[1] ?? ''] as const
      }),
    )

  /** Start and end of the grid equal those of the API's list, and so does its length. */
  async function equalsList(t: Parameters<typeof visit>[0], page: Page, search: string): Promise<void> {
    const { ids, total } = await listed(search)
    await until(page, `document.querySelector('.count')?.textContent.startsWith('${total} film')`)
    for (const place of ['0', 'document.documentElement.scrollHeight']) {
      await page.evaluate(`scrollTo(0, ${place})`)
      const index = place === '0' ? 0 : total - 1
      await page.waitForSelector(`[data-index="${index}"] a`)
      await quiet(page)
      const cards = await drawn(page)
      t.ok(cards.some(([at]) => at === index))
      for (const [at, id] of cards) if (id !== ids[at]) t.equal(id, ids[at], `${search}: film ${at}`)
    }
  }

  t.test('the home page, from cold, asks the API once, before its own code is there', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInByCookie(visitor, server)
    const answer = await page.goto(server.url)
    await page.waitForSelector('.card')
    await quiet(page)
    t.strictSame(askedBy(visitor), ['GET /v1/home?limit=12'])
    t.match(answer?.headers()['link'], '</v1/home?limit=12>; rel=preload; as=fetch; crossorigin')
    const times = (await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => /v1.home|assets.main-.*js/.test(name)).map(({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd }))`)) as readonly {
      readonly name: string
      readonly startTime: number
      readonly responseEnd: number
    }[]
    const home = times.filter(({ name }) => name.includes('/v1/home'))
    const main = times.find(({ name }) => name.includes('main-'))
    t.equal(home.length, 1)
    t.ok(home[0] && main && home[0].startTime < main.responseEnd, JSON.stringify(times))
    t.strictSame(visitor.complaints, [])
  })

  t.test('each sort, in both orders, shows what the API lists', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.goto(`${server.url}/films`)
    await equalsList(t, page, '')
    const sorts = await page.$$eval('.filters select:first-of-type option', (options) => options.map(({ value }) => value))
    t.ok(sorts.length >= 7)
    for (const sort of ['addedAt', 'year', 'rating', 'duration', 'lastPlayedAt', 'title']) {
      await page.evaluate('scrollTo(0, 0)')
      await page.select('.filters label:first-of-type select', sort)
      const order = sort === 'title' ? 'asc' : 'desc'
      await until(page, `new URLSearchParams(location.search).get('sort') === ${sort === 'title' ? 'null' : `'${sort}'`}`)
      await equalsList(t, page, `sort=${sort}&order=${order}`)
      await page.evaluate('scrollTo(0, 0)')
      await page.click('.filters > button')
      await until(page, `location.search.includes('order=${order === 'asc' ? 'desc' : 'asc'}')`)
      await equalsList(t, page, `sort=${sort}&order=${order === 'asc' ? 'desc' : 'asc'}`)
    }
    t.strictSame(visitor.complaints, [])
  })

  t.test('each filter shows what the API lists, several narrow it together, and a chip takes one away', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    const { ids } = await listed('')
    for (const id of ids.slice(0, 3)) await server.api.send('PUT', `/v1/movies/${id}/watched`, {})
    await page.goto(`${server.url}/films`)
    // What there is to choose is asked for once somebody turns to it.
    await page.locator('.filters').hover()
    await until(page, `document.querySelectorAll('.filters select').length === 7`)
    const labels = await page.$$eval('.filters label > span', (spans) => spans.map((span) => span.textContent))
    t.strictSame(labels, ['Sort by', 'Genre', 'Year', 'Resolution', 'Language', 'Watched', 'Library', 'Look at an earlier day'])
    for (const place of [1, 2, 3, 4, 5, 6]) {
      const value = await page.$$eval('.filters select', (selects, place) => selects[place]?.options[1]?.value ?? '', place)
      await choose(page, place, value)
      const search = new URL(page.url()).search.slice(1)
      t.ok(search.includes(encodeURIComponent(value)), search)
      await equalsList(t, page, search)
      await page.evaluate('scrollTo(0, 0)')
      if (place !== 1) await page.click('.filters .chips button')
      else await choose(page, place, '')
      await until(page, 'location.search === ""')
    }
    await choose(page, 1, 'Drama')
    await choose(page, 5, 'false')
    await equalsList(t, page, 'genre=Drama&watched=false')
    await page.evaluate('scrollTo(0, 0)')
    await page.click('.filters .chips li:first-child button')
    await until(page, 'location.search === "?watched=false"')
    await equalsList(t, page, 'watched=false')
    t.strictSame(visitor.complaints, [])
  })

  async function choose(page: Page, place: number, value: string): Promise<void> {
    const before = page.url()
    const selects = await page.$$('.filters select')
    await selects[place]?.select(value)
    await until(page, `location.href !== ${JSON.stringify(before)}`)
  }

  for (const [device, { viewport, userAgent }] of [
    ['phone', KnownDevices['iPhone 13']],
    ['tablet', KnownDevices['iPad Pro 11 landscape']],
  ] as const) {
    t.test(
      `on a ${device} the list asks for no more than with a mouse; what there is to choose is asked for with the filters`,
      async (t) => {
        const visitor = await visit(t, browser)
        const { page } = visitor
        await page.emulate({ viewport, userAgent })
        await signInByCookie(visitor, server)
        await page.goto(`${server.url}/films`)
        await page.waitForSelector('.card')
        await quiet(page)
        t.strictSame(askedBy(visitor).toSorted(), [
          'GET /v1/movies/anchors?every=100',
          'GET /v1/movies?limit=100&view=card',
          'GET /v1/users/me',
        ])
        await page.tap('.filters-toggle')
        await until(page, `document.querySelectorAll('.filter-choices option').length > 20`)
        const choices = '.filter-choices select'
        const genre = await page.$eval(`${choices} option:nth-child(2)`, (option) => option.value)
        await page.select(choices, genre)
        await until(page, `location.search === '?genre=${encodeURIComponent(genre)}'`)
        t.strictSame(visitor.complaints, [])
      },
    )
  }

  t.test('collections show how many of their films are watched, by one request, and follow the marks', async (t) => {
    const [first = '', second = '', third = ''] = (await listed('sort=year')).ids
    for (const id of [first, second]) {
      await server.api.send('PATCH', `/v1/movies/${id}`, { collection: 'Zwei Filme' })
      // An earlier test marks the first films of another order.
      await server.api.send('DELETE', `/v1/movies/${id}/watched`)
    }
    await server.api.send('PATCH', `/v1/movies/${third}`, { collection: 'Ein Film' })
    await server.api.send('PUT', `/v1/movies/${third}/watched`, {})
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInByCookie(visitor, server)
    await page.goto(`${server.url}/collections`)
    await page.waitForSelector('.stack')
    await quiet(page)
    t.strictSame(askedBy(visitor).toSorted(), ['GET /v1/collections?limit=100&view=card', 'GET /v1/users/me'])
    const tile = (name: string) => `[...document.querySelectorAll('.stack')].find((card) => card.textContent.startsWith('${name}'))`
    t.equal(await page.evaluate(`${tile('Zwei Filme')}.querySelector('.year').textContent`), '2 films')
    t.equal(await page.evaluate(`${tile('Ein Film')}.querySelector('.year').textContent`), '1 film, watched')
    t.ok(await page.evaluate(`${tile('Ein Film')}.querySelector('.seen') !== null`))
    await server.api.send('PUT', `/v1/movies/${first}/watched`, {})
    await until(page, `${tile('Zwei Filme')}.querySelector('.year').textContent === '1 of 2 watched'`)
    t.equal(await page.evaluate(`${tile('Zwei Filme')}.querySelector('.progress i').style.inlineSize`), '50%')
    await page.focus('.stack a')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await until(page, `document.querySelectorAll('main .card:not(.stack)').length > 0`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('an address that is copied into another browser shows the same films, in the same random order too', async (t) => {
    const first = await visit(t, browser)
    await signInAt(first, server.url)
    await first.page.goto(`${server.url}/films?genre=Drama&genre=Horror`)
    await first.page.waitForSelector('.long-list .card a')
    await first.page.select('.filters label:first-of-type select', 'random')
    await until(first.page, `/seed=\\d/.test(location.search)`)
    await first.page.waitForSelector('.long-list .card a')
    await quiet(first.page)
    const second = await visit(t, browser)
    await signInAt(second, server.url)
    await second.page.goto(first.page.url())
    await second.page.waitForSelector('.long-list .card a')
    await quiet(second.page)
    const films = await drawn(first.page)
    t.ok(films.length > 10)
    t.strictSame(await drawn(second.page), films)
    await equalsList(t, second.page, new URL(second.page.url()).search.slice(1))
    t.strictSame([...first.complaints, ...second.complaints], [])
  })

  t.test('ten letters typed ask a few times, and the last answer wins, however late the others come', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.goto(`${server.url}/search`)
    await page.waitForSelector('input[type=search]')
    await quiet(page)
    // The first responses are delayed until the last one is displayed.
    const held: (() => void)[] = []
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url())
      const typed = searchParams.get('q')
      if (typed === null || typed === 'the summer') void request.continue()
      else held.push(() => void request.continue().catch(() => undefined))
    })
    const before = askedBy(visitor).length
    await page.type('input[type=search]', 'the', { delay: 20 })
    await until(page, 'location.search === "?q=the"')
    await page.type('input[type=search]', ' summer', { delay: 20 })
    await until(page, 'location.search === "?q=the%20summer"')
    await page.waitForSelector('.cards .card')
    for (const release of held) release()
    await quiet(page)
    const asked = askedBy(visitor).slice(before)
    t.ok(asked.length <= 5, asked.join('\n'))
    t.match(asked[asked.length - 1], /q=the(%20|\+)summer/)
    const { json } = await server.api.send('GET', '/v1/movies?q=the+summer&limit=50')
    const wanted = (json as unknown as Answer).items.map(({ id }) => `search ${id}`)
    t.ok(wanted.length > 1)
    t.strictSame(await page.$$eval('.cards .card > a', (links) => links.map((link) => link.dataset['focus'])), wanted)
    t.equal(await page.$eval('input[type=search]', (input) => input.value), 'the summer')
    t.strictSame(visitor.complaints, [])
  })

  t.test('all films of a collection are marked by one request, and as they were by undoing it', async (t) => {
    const [first = '', second = ''] = (await listed('sort=year')).ids
    for (const id of [first, second]) await server.api.send('PATCH', `/v1/movies/${id}`, { collection: 'Alle' })
    const watchedAt = '2024-01-02T03:04:05.000Z'
    await server.api.send('DELETE', `/v1/movies/${first}/watched`)
    await server.api.send('PUT', `/v1/movies/${first}/watched`, { watchedAt })
    await server.api.send('DELETE', `/v1/movies/${second}/watched`)
    await server.api.send('PUT', `/v1/movies/${second}/resume`, { position: 42 })
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInByCookie(visitor, server)
    const { items } = (await server.api.send('GET', '/v1/collections?limit=100')).json as unknown as {
      items: { id: string; name: string }[]
    }
    await page.goto(`${server.url}/collections/${items.find(({ name }) => name === 'Alle')?.id}`)
    const own = async (id: string) => (await server.api.send('GET', `/v1/movies/${id}`)).json
    const marks = (): readonly string[] => askedBy(visitor).filter((asked) => /marks|watched|resume$/.test(asked))
    await page.waitForSelector('[data-focus="mark-all"]')
    await quiet(page)
    await page.click('[data-focus="mark-all"]')
    await until(page, `document.querySelectorAll('.card .seen').length === 2`)
    await quiet(page)
    t.match(await own(first), { watched: true, watchedAt }, 'what was watched keeps its time')
    t.match(await own(second), { watched: true, position: 0 })
    t.match(await page.$eval('.toasts', (toasts) => toasts.textContent), /1 film marked as watched/)
    await page.click('.toast button')
    await until(page, `document.querySelectorAll('.card .seen').length === 1`)
    await quiet(page)
    t.match(await own(first), { watched: true, watchedAt })
    t.match(await own(second), { watched: false, position: 42 })
    t.strictSame(marks(), ['POST /v1/movies/marks', 'POST /v1/movies/marks'])
    await page.click('[data-focus="mark-all"]')
    await until(page, `document.querySelector('[data-focus="mark-all"]').textContent === 'Mark all as not watched'`)
    await page.click('[data-focus="mark-all"]')
    await until(page, `document.querySelectorAll('.card .seen').length === 0`)
    await quiet(page)
    t.match(await own(first), { watched: false, watchedAt: null })
    t.strictSame(visitor.complaints, [])
  })

  t.test('a search shows people and collections above the films, from one request, and leads to them', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    const { ids } = await listed('')
    const { cast } = (await server.api.send('GET', `/v1/movies/${ids[0]}/credits`)).json as unknown as {
      cast: readonly { readonly personId: string; readonly name: string }[]
    }
    const [actor] = cast
    if (!actor) throw new Error('The film has no cast')
    await page.goto(`${server.url}/search`)
    await page.waitForSelector('input[type=search]')
    await quiet(page)
    const before = askedBy(visitor).length
    await page.type('input[type=search]', actor.name)
    await page.waitForSelector(`.people a[href="/people/${actor.personId}"]`)
    await quiet(page)
    const asked = askedBy(visitor).slice(before)
    t.ok(
      asked.every((request) => request.startsWith('GET /v1/search?')),
      asked.join('\n'),
    )
    t.equal(await page.$eval('.people .person', (link) => link.textContent.includes('undefined')), false)
    await page.goto(`${server.url}/search?q=collection`)
    await page.waitForSelector('.cards-row .stack a')
    const { collections } = (await server.api.send('GET', '/v1/search?q=collection&limit=50')).json as unknown as {
      collections: readonly { readonly id: string }[]
    }
    t.ok(collections.length > 1)
    t.strictSame(
      await page.$$eval('.cards-row .stack > a', (links) => links.map((link) => link.getAttribute('href'))),
      collections.map(({ id }) => `/collections/${id}`),
    )
    await page.click('.cards-row .stack a')
    await page.waitForSelector('.row .card, .cards .card')
    t.match(await page.evaluate('location.pathname'), `/collections/${collections[0]?.id}`)
    t.strictSame(visitor.complaints, [])
  })

  t.test('the search in the menu begins a new search, and Back shows the one before with its text', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.goto(`${server.url}/search?q=summer`)
    await page.waitForSelector('.card')
    await page.$eval('.places a[href="/search"]', (link) => link.click())
    await page.waitForSelector('.empty')
    await quiet(page)
    t.equal(await page.$eval('input[type=search]', (input) => input.value), '')
    t.equal(new URL(page.url()).search, '')
    await page.goBack()
    await page.waitForSelector('.card')
    await quiet(page)
    t.equal(await page.$eval('input[type=search]', (input) => input.value), 'summer')
    t.equal(new URL(page.url()).search, '?q=summer')
  })

  t.test('the window is titled after the film, also when its page is there at once', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await signInAt(visitor, server.url)
    await page.waitForSelector('.card a')
    await page.$eval('.card a', (link) => link.click())
    await page.waitForSelector('article.movie')
    const title = await page.title()
    t.match(title, new RegExp(`^${await page.$eval('h1', ({ textContent }) => textContent)} `))
    await page.goBack()
    await until(page, `document.title.startsWith('Home')`)
    await page.goForward()
    await page.waitForSelector('article.movie')
    t.equal(await page.title(), title)
  })
}

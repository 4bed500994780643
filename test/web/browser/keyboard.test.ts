import type { KeyInput, Page, SerializedAXNode } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { ADMIN } from '../../system/whole/server-process.ts'
import { launchBrowser, needsBrowser, startWebServer, visit } from './browser-fixture.ts'

const MOST_TABS = 60

/** The focused element: its role, its name, and whether a focus ring of at least 3 px is visible. */
interface Focused {
  readonly tag: string
  readonly text: string
  readonly ringPx: number
  readonly isSeen: boolean
}

const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const label = element.id === '' ? undefined : document.querySelector(`label[for="${CSS.escape(element.id)}"]`)?.textContent
    return {
      tag: element.tagName.toLowerCase(),
      text: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim(),
      ringPx: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      isSeen: bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
    }
  })

/** Presses Tab until an element of this name has the focus; each stop on the way must be visible. */
async function tabTo(t: Test, page: Page, name: Pick<RegExp, 'test'>): Promise<void> {
  const passed: string[] = []
  for (let n = 0; n < MOST_TABS; n += 1) {
    await page.keyboard.press('Tab')
    const { tag, text, ringPx, isSeen } = await focused(page)
    if (tag === 'body') continue
    passed.push(text)
    if (ringPx < 3 || !isSeen) return void t.fail(`the focus cannot be seen on ${tag} "${text}": ${ringPx} px`)
    if (name.test(text)) return
  }
  t.fail(`Tab never came to it, but to ${passed.join(', ')}`)
}

const nodesOf = (node: SerializedAXNode): readonly SerializedAXNode[] => [node, ...(node.children ?? []).flatMap(nodesOf)]

const type = (page: Page, text: string): Promise<void> => page.keyboard.type(text)
const press = (page: Page, key: KeyInput): Promise<void> => page.keyboard.press(key)

const isHeading = (text: string): string =>
  `document.activeElement.tagName === 'H1' && document.activeElement.textContent.includes(${JSON.stringify(text)})`

const browserPath = needsBrowser(t)
if (browserPath) {
  const browser = await launchBrowser(t, browserPath)
  const server = await startWebServer(t)
  const [first] = (await server.api.send('GET', '/v1/movies?limit=1')).json['items'] as unknown as { id: string; title: string }[]
  const { id = '', title = '' } = first ?? {}
  const isWatched = async (): Promise<boolean> => Boolean((await server.api.send('GET', `/v1/movies/${id}`)).json['watched'])

  t.test('everything from signing in to signing out can be done by keyboard', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    await page.goto(`${server.url}/sign-in`)
    await page.waitForFunction(isHeading('Sign in'))
    await tabTo(t, page, /^E-mail/)
    await type(page, ADMIN.email)
    await tabTo(t, page, /^Password/)
    await type(page, ADMIN.password)
    await press(page, 'Enter')
    await page.waitForSelector('.shelf')
    await page.waitForFunction(isHeading('Home'))
    t.equal(await page.title(), 'Home · Marquee')

    await page.evaluate('document.activeElement.blur()')
    await tabTo(t, page, /^Skip to content$/)
    await press(page, 'Enter')
    t.equal(await page.evaluate('document.activeElement.id'), 'main', 'the skip link leads past the places')

    await page.evaluate('document.activeElement.blur()')
    await tabTo(t, page, /^Search$/)
    await press(page, 'Enter')
    await page.waitForFunction('document.activeElement.type === "search"')
    await type(page, title)
    await page.waitForSelector(`.card a[href="/films/${id}"]`)
    await tabTo(t, page, { test: (text) => text.startsWith(title) })
    await press(page, 'Enter')
    await page.waitForFunction(isHeading(title))
    t.match(await page.title(), title)

    await tabTo(t, page, /^Mark as watched$/)
    await press(page, 'Space')
    await page.waitForSelector('.toast')
    t.match(await page.$eval('.toasts[role=status]', (element) => element.textContent), /is marked as watched/)
    await page.waitForSelector('[data-focus=watched][aria-pressed=true]')
    await press(page, 'z')
    await page.waitForSelector('[data-focus=watched][aria-pressed=false]')
    // The focus stays in place. The mark's event may still be in flight when its undo button is displayed.
    await page.waitForFunction('document.activeElement.textContent === "Mark as watched"')

    await page.evaluate('document.activeElement.blur()')
    await tabTo(t, page, /^Administrator$|^Account$/)
    await press(page, 'Enter')
    await page.waitForFunction(isHeading('Settings'))
    visitor.expect(/401/)
    await tabTo(t, page, /^Sign out$/)
    await press(page, 'Enter')
    await page.waitForFunction(isHeading('Sign in'))
    t.equal(await isWatched(), false, 'and undone it is')
    t.strictSame(visitor.complaints, [])
  })

  t.test('the same can be done by roles and names alone, as a screen reader has them', async (t) => {
    const visitor = await visit(t, browser)
    const { page } = visitor
    const aria = (name: string, role: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`)
    await page.goto(`${server.url}/sign-in`)
    await aria('E-mail', 'textbox').fill(ADMIN.email)
    await page.locator('::-p-aria([name="Password"])').fill(ADMIN.password)
    await aria('Sign in', 'button').click()
    await aria('Search', 'link').click()
    await aria('Search for films, people and collections', 'searchbox').fill(title)
    await page.waitForSelector(`.card a[href="/films/${id}"]`)
    const root = await page.accessibility.snapshot()
    const link = (root ? nodesOf(root) : []).find(({ role, name = '' }) => role === 'link' && name.startsWith(title))
    t.ok(link, 'the card is one link that begins with the title')
    await aria(link?.name ?? '', 'link').click()
    await aria(title, 'heading').wait()
    await aria('Mark as watched', 'button').click()
    await aria('Undo', 'button').click()
    await aria('Mark as watched', 'button').wait()
    await aria('Administrator', 'link').click()
    visitor.expect(/401/)
    await aria('Sign out', 'button').click()
    await aria('Sign in', 'heading').wait()
    t.strictSame(visitor.complaints, [])
  })

  t.test('each page has its landmarks, one heading of the first level, and its language', async (t) => {
    const visitor = await visit(t, browser, { language: 'de' })
    const { page } = visitor
    await page.goto(`${server.url}/sign-in`)
    await page.locator('input[name=email]').fill(ADMIN.email)
    await page.locator('input[name=password]').fill(ADMIN.password)
    await page.locator('form button.primary').click()
    for (const path of ['/', '/films', `/films/${id}`, '/search', '/watchlist', '/collections', '/settings']) {
      await page.waitForSelector('nav.places')
      await page.goto(`${server.url}${path}`)
      await page.waitForSelector('main h1')
      t.strictSame(
        await page.evaluate(() => ({
          language: document.documentElement.lang,
          headings: document.querySelectorAll('h1').length,
          landmarks: ['header', 'nav', 'main'].map(
            (name) => document.querySelectorAll(name === 'nav' ? 'nav.places:not(.of-admins)' : name).length,
          ),
          notes: document.querySelector('.toasts')?.getAttribute('aria-live'),
        })),
        { language: 'de', headings: 1, landmarks: [1, 1, 1], notes: 'polite' },
        path,
      )
    }
    t.strictSame(visitor.complaints, [])
  })
}

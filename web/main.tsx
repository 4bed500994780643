/** Starts the client: who is here, in which language, and the first page. */
import '@preact/signals'
import './shared-chunk.ts'
import { render } from 'preact'
import { App, loadPage } from './app.tsx'
import { effect } from '@preact/signals-core'
import { endLive, startLive } from './data/live.ts'
import { hideKeptPages } from './data/kept-pages.ts'
import { homeQuery } from './data/queries.ts'
import { learnTv, tv } from './data/tv.ts'
import { queryClient } from './data/query-client.ts'
import { who, learnWho } from './data/who.ts'
import { PAGES } from './pages.ts'
import { fetchFirstImages } from './parts/first-images.ts'
import { startRouter } from './router.ts'
import { bestLanguage, speak } from './words/words.ts'

async function start(): Promise<void> {
  const root = document.getElementById('app')
  if (!root) return
  startRouter()
  learnTv()
  effect(layOut)
  const isSignedIn = document.documentElement.dataset['user'] !== undefined
  if (isSignedIn) who.value = 'somebody'
  const path = location.pathname
  const entry = PAGES.find((page) => isAt(page.path, path))
  const needed = entry && (isSignedIn || entry.by === 'anyone') ? entry : PAGES.find((page) => page.path === '/sign-in')
  const language = bestLanguage(navigator.languages)
  const isHome = isSignedIn && path === '/'
  await Promise.all([
    isHome && firstAnswer(),
    needed && loadPage(needed).catch(() => undefined),
    language === 'en' ? undefined : speak(language),
  ])
  document.documentElement.lang = language
  root.replaceChildren()
  render(<App />, root)
  // The stream begins when it is known who is here: administrators hear more.
  effect(() => (who.value === 'nobody' ? endLive() : typeof who.value === 'object' ? void startLive() : undefined))
  hideKeptPages()
  // The home page's answer says who is here; all others have to ask.
  if (isSignedIn && path !== '/') void learnWho()
}

/** Of televisions; the code of remote controls is for them alone. */
function layOut(): (() => void) | undefined {
  const { documentElement } = document
  if (!tv.value) {
    delete documentElement.dataset['tv']
    return undefined
  }
  documentElement.dataset['tv'] = ''
  const started = import('./parts/spatial.ts').then(({ startSpatial }) => startSpatial())
  return () => void started.then((stop) => stop())
}

const FIRST_ANSWER_MS = 200

/**
 * The answer of the home page, which the server has told the browser to preload: if it has arrived, the page is drawn once, and its
 * first images are on their way while it is.
 */
async function firstAnswer(): Promise<void> {
  const asked = queryClient.fetchQuery(homeQuery).then(fetchFirstImages, () => undefined)
  await Promise.race([asked, new Promise((late) => setTimeout(late, FIRST_ANSWER_MS))])
}

const isAt = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

void start()

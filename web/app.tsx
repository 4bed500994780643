/** The client: the page for the address, and its frame. */
import { QueryClientProvider } from '@tanstack/preact-query'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { Redirect, Route, Switch } from 'wouter-preact'
import { onLive } from './data/live.ts'
import { queryClient } from './data/query-client.ts'
import { isAdmin, isSignedIn, who } from './data/who.ts'
import { PAGES, type PageEntry, type PageProps } from './pages.ts'
import { Frame } from './parts/frame.tsx'
import { Failed, NotFound, Waiting } from './parts/states.tsx'
import { Toasts } from './parts/toast.tsx'
import { markOld, takesUpgrade } from './data/upgrade.ts'
import { entryKey, restoreEntry } from './router.ts'
import { say } from './words/words.ts'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Switch>
        {PAGES.map((entry) => (
          <Route key={entry.path} path={entry.path}>
            {(params) => <PageOf entry={entry} params={params as PageProps['params']} />}
          </Route>
        ))}
        <Route>
          <Frame>
            <NotFound />
          </Frame>
        </Route>
      </Switch>
      <Toasts />
    </QueryClientProvider>
  )
}

interface PageOfProps extends PageProps {
  readonly entry: PageEntry
}

function PageOf({ entry, params }: PageOfProps) {
  const isOpen = entry.by === 'anyone'
  if (isSignedIn() && isOpen) return <Redirect to={returnPath()} replace />
  if (!isSignedIn() && !isOpen) return <Redirect to={signInPath()} replace />
  // Until it is known who is here, the page is neither shown nor denied.
  if (entry.by === 'admins' && !isAdmin()) return <Frame>{who.value === 'somebody' ? <Waiting /> : <NotFound />}</Frame>
  const page = <Loaded entry={entry} params={params} key={`${entry.path} ${Object.values(params).join(' ')}`} />
  return entry.bare === true ? page : <Frame>{page}</Frame>
}

const signInPath = (): string => {
  const here = `${location.pathname}${location.search}`
  return here === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(here)}`
}

/** Only a path of this server: an address elsewhere must not be reached by way of the sign-in page. */
function returnPath(): string {
  const to = new URLSearchParams(location.search).get('to') ?? '/'
  return /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-') ? to : '/'
}

const loadedPages = new Map<string, ComponentType<PageProps>>()

/** Loads the code of a page, or gets it if it is there. @throws if it is no longer to be had: the server has another build */
export async function loadPage({ file, load }: PageEntry): Promise<ComponentType<PageProps>> {
  const { Page } = await load()
  loadedPages.set(file, Page)
  return Page
}

/** Why the code of a page is not there: the server does not answer, or has another build. */
type Failure = 'away' | 'old'

/**
 * If the server answers, it has another build, and the page at the address is loaded from it. That also helps Firefox, which never requests
 * a module again after a failure.
 */
async function loadAnewOr(fail: (failure: Failure) => void): Promise<void> {
  const isThere = await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isThere) return fail('away')
  markOld()
  if (takesUpgrade()) location.reload()
  else fail('old')
}

const AGAIN_MS = 3000
const AGAIN_MOST_MS = 30_000

/**
 * The number of the attempt. While another is wanted, it grows when the server or the network is back, and after a delay that doubles each
 * time: no event follows if only one request was lost.
 */
function useAttempt(isWanted: boolean): number {
  const [attempt, setAttempt] = useState(0)
  // It listens as soon as the message is shown.
  useLayoutEffect(() => {
    if (!isWanted) return undefined
    const again = (): void => setAttempt(attempt + 1)
    const timer = setTimeout(again, Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** attempt))
    const stopLive = onLive(['hello'], again)
    addEventListener('online', again)
    return () => {
      clearTimeout(timer)
      stopLive()
      removeEventListener('online', again)
    }
  }, [isWanted, attempt])
  return attempt
}

function Loaded({ entry, params }: PageOfProps) {
  const [failure, setFailure] = useState<Failure>()
  const [Page, setPage] = useState<ComponentType<PageProps> | undefined>(() => loadedPages.get(entry.file))
  const attempt = useAttempt(!Page && failure === 'away')
  useEffect(() => {
    if (!Page)
      loadPage(entry).then(
        (loaded) => setPage(() => loaded),
        () => void loadAnewOr(setFailure),
      )
  }, [entry, Page, attempt])
  const key = entryKey.value
  useLayoutEffect(() => {
    if (Page) restoreEntry()
  }, [Page, key])
  if (!Page && failure !== undefined)
    return <Failed isPage text={say(failure === 'away' ? 'app.offline' : 'app.old')} onRetry={() => location.reload()} />
  return (
    <>
      <EntryTitle entry={entry} />
      {Page ? <Page params={params} /> : <Waiting />}
    </>
  )
}

/** In front of the page, so that the title of a page that names itself comes later, even if its answer is there at once. */
function EntryTitle({ entry }: { readonly entry: PageEntry }) {
  const title = `${say(entry.title)} · ${say('app.name')}`
  useLayoutEffect(() => {
    document.title = title
  }, [title])
  return null
}

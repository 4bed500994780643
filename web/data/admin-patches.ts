/** Changes by live events of what administrators and `/now` show: positions of sessions, and libraries that are scanned. Pure. */
import type { components } from '../api/schema.d.ts'
import type { LiveData } from './live.ts'

type Schemas = components['schemas']
interface SessionPage {
  readonly items: readonly Schemas['ActiveSession'][]
}
interface LibraryPage {
  readonly items: readonly Schemas['Library'][]
}

type PlayState = Schemas['ActiveSession']['playState']

/** The page of sessions after an event of a session. The same page if the session is not in it. */
export function patchSessions<Page extends SessionPage>(page: Page, kind: string, { sessionId, position, playState }: LiveData): Page {
  if (!page.items.some(({ id }) => id === sessionId)) return page
  if (kind === 'playback.ended') return { ...page, items: page.items.filter(({ id }) => id !== sessionId) }
  if (kind !== 'playback.progress' && kind !== 'playback.seeked') return page
  return {
    ...page,
    items: page.items.map((session) =>
      session.id === sessionId
        ? { ...session, position: position ?? session.position, playState: (playState as PlayState | undefined) ?? session.playState }
        : session,
    ),
  }
}

/** A list of libraries, or one library, after a scan has begun. */
export function patchScanning(data: unknown, libraryId: string): unknown {
  if (typeof data !== 'object' || data === null) return data
  if ('items' in data) {
    const { items } = data as LibraryPage
    if (!items.some(({ id, state }) => id === libraryId && state !== 'scanning')) return data
    return { ...data, items: items.map((library) => (library.id === libraryId ? { ...library, state: 'scanning' } : library)) }
  }
  return 'id' in data && data.id === libraryId ? { ...data, state: 'scanning' } : data
}

interface ProjectionPage {
  readonly items: readonly Schemas['Projection'][]
}

/** The list of projections while one is rebuilt. */
export function patchRebuild<Page extends ProjectionPage>(page: Page, { name, progress }: LiveData): Page {
  if (progress === undefined) return page
  return {
    ...page,
    items: page.items.map((one) => (one.name === name ? { ...one, rebuild: { seq: one.rebuild?.seq ?? '0', progress } } : one)),
  }
}

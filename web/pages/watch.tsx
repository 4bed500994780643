/** The page of the player: `/watch/:id`, with `?t=` seconds to begin elsewhere than where the person was, and `?file=` for a version. */
import { useEffect } from 'preact/hooks'
import type { PageProps } from '../pages.ts'
import { leavePlayer, openPlayer } from '../player/host.tsx'
import { say } from '../words/words.ts'

/** Loaded with the page: a page that leads here calls it when it is idle. */
export { preparePlayer } from '../player/host.tsx'

/** Seconds in the address; undefined if there are none, or nonsense. */
export function startIn(search: string): number | undefined {
  const text = new URLSearchParams(search).get('t')
  const seconds = Number(text)
  return text === null || text === '' || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds
}

export function Page({ params }: PageProps) {
  const { id = '' } = params
  useEffect(() => {
    const { search } = location
    openPlayer({ movieId: id, fileId: new URLSearchParams(search).get('file') ?? undefined, at: startIn(search) })
    return leavePlayer
  }, [id])
  return (
    <main id="main">
      <h1 class="hidden" tabIndex={-1}>
        {say('page.watch')}
      </h1>
    </main>
  )
}

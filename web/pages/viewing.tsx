/** One viewing: what was played when, where it paused and jumped, and where one can go on from. */
import { useQuery } from '@tanstack/preact-query'
import { Play } from 'lucide'
import type { HistoryEntry } from '../data/history-query.ts'
import { resumeHistoryQuery, timelineQuery, viewingQuery, type TimelineStep } from '../data/past-queries.ts'
import { movieQuery } from '../data/queries.ts'
import { ownZone } from '../data/time-zone.ts'
import { isAdmin, isSomebodyElse, who } from '../data/who.ts'
import type { PageProps } from '../pages.ts'
import { FactList, type Fact } from '../parts/fact-list.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { OnRecord } from '../parts/on-record.tsx'
import { Failed, NotFound, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import type { TableOf } from '../plots/csv.ts'
import { Figure } from '../plots/figure.tsx'
import { lengthIn, secondsBetween, stripOf } from '../plots/strip-layout.ts'
import { StripFull, stripText } from '../plots/strip.tsx'
import { clock, moment, shortDuration, timeOfDay } from '../words/format.ts'
import { say } from '../words/words.ts'
import '../words/en-past.ts'

export function Page({ params: { id = '' } }: PageProps) {
  const isKnown = typeof who.value === 'object'
  const { data: steps, error, refetch } = useQuery(timelineQuery(id))
  const since = steps?.[0]?.since
  const viewing = useQuery({ ...viewingQuery(id, since ?? '', isAdmin()), enabled: since !== undefined && isKnown })
  const cause = error ?? viewing.error
  if (cause) return <Failed cause={cause} onRetry={() => void (error ? refetch() : viewing.refetch())} isPage />
  if (steps?.length === 0 || viewing.data === null) return <NotFound />
  return steps && viewing.data ? <Viewing entry={viewing.data} steps={steps} /> : <Waiting />
}

interface ViewingProps {
  readonly entry: HistoryEntry
  readonly steps: readonly TimelineStep[]
}

function Viewing({ entry, steps }: ViewingProps) {
  const { movie, startedAt, endedAt } = entry
  const { data: details } = useQuery({ ...movieQuery(movie.id), retry: false })
  const strip = stripOf(steps)
  const length = Math.max(details?.duration ?? 0, lengthIn(entry, strip))
  const isOther = isSomebodyElse(entry.userId)
  const title = movie.title ?? say('history.untitled')
  return (
    <div class="past">
      <Title named={title} />
      <p class="soft">
        {moment(startedAt)} – {endedAt === null ? say('history.goes-on') : timeOfDay(endedAt)}
        {' · '}
        <Link to={`/films/${movie.id}`}>{say('history.movie')}</Link>
      </p>
      {isOther && <OnRecord />}
      <FactList facts={factsOf(entry)} />
      <Figure
        title={say('strip.title')}
        sentence={stripText(strip)}
        tz={ownZone()}
        table={tableOf(steps, movie.id)}
        file={`viewing-${entry.id}`}
        isWide
      >
        <StripFull strip={strip} length={length} movieId={movie.id} />
      </Figure>
      {!isOther && details && <EarlierPoints movieId={movie.id} />}
    </div>
  )
}

function factsOf(entry: HistoryEntry): readonly Fact[] {
  const { watchedSeconds, startPosition, endPosition, completed, percent, method, quality, resolution, client, endReason } = entry
  return [
    { name: say('history.watched'), text: shortDuration(watchedSeconds) },
    { name: say('history.stretch'), text: `${clock(startPosition)} – ${clock(endPosition)}` },
    { name: say('history.end'), text: completed ? say('history.completed') : say('history.percent', { percent: Math.round(percent) }) },
    { name: say('history.reason'), text: endReason === null ? '' : say(`end.${endReason}`) },
    { name: say('history.method'), text: method === null ? '' : say(`method.${method}`) },
    { name: say('history.quality'), text: [quality, resolution].filter((text) => text !== null).join(' · ') },
    {
      name: say('history.client'),
      text: [client?.name, client?.version, client?.device].filter((text) => typeof text === 'string').join(' · '),
    },
  ]
}

/** Every step, as the server has it. */
const tableOf = (steps: readonly TimelineStep[], movieId: string): TableOf => ({
  head: [say('strip.at'), say('strip.kind'), say('strip.from'), say('strip.to'), say('strip.time')],
  rows: steps
    .filter(({ since, at, from, to }) => at !== since || from !== to)
    .map(({ kind, since, at, from, to }) => [
      { text: timeOfDay(since), raw: since },
      { text: say(`strip.kind.${kind}`), raw: kind },
      { text: clock(from), raw: from, to: `/watch/${movieId}?t=${Math.floor(from)}` },
      { text: clock(to), raw: to, to: `/watch/${movieId}?t=${Math.floor(to)}` },
      { text: shortDuration(secondsBetween(since, at)), raw: secondsBetween(since, at) },
    ]),
})

/** Where the film was left before: by any viewing, or by hand. */
function EarlierPoints({ movieId }: { readonly movieId: string }) {
  const { data } = useQuery(resumeHistoryQuery(movieId))
  const points = data?.items.filter(({ position }) => position > 0) ?? []
  if (points.length === 0) return null
  return (
    <section class="earlier">
      <h2>{say('history.earlier')}</h2>
      <ul class="files">
        {points.map(({ id, at, position }) => (
          <li key={`${id} ${at}`} class="file">
            <div>
              <strong>{clock(position)}</strong>
              <p class="soft">{moment(at)}</p>
            </div>
            <Link to={`/watch/${movieId}?t=${Math.floor(position)}`} class="button">
              <Icon of={Play} size={16} />
              {say('strip.resume', { time: clock(position) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who watches what at the moment. Everybody sees what they watch themselves; administrators see all. Only events move its lines. */
import { useQuery } from '@tanstack/preact-query'
import { MonitorPlay } from 'lucide'
import { sessionsQuery } from '../data/sessions.ts'
import { isAdmin, who } from '../data/who.ts'
import { SessionCard } from '../parts/session-card.tsx'
import { Empty, Failed, Waiting } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { say } from '../words/words.ts'
import '../words/en-now.ts'

export function Page() {
  // Administrators ask for other sessions: which, is known once it is known who is here.
  const isKnown = typeof who.value === 'object'
  return (
    <>
      <div class="list-head">
        <Title>{say('page.now')}</Title>
      </div>
      {isKnown ? <Sessions ofEveryone={isAdmin()} /> : <Waiting />}
    </>
  )
}

function Sessions({ ofEveryone }: { readonly ofEveryone: boolean }) {
  const { data, error, refetch } = useQuery(sessionsQuery(ofEveryone))
  if (!data) return error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />
  if (data.items.length === 0) {
    return (
      <Empty title={say(ofEveryone ? 'now.none.all' : 'now.none.own')} icon={MonitorPlay}>
        <p>{say(ofEveryone ? 'now.none.all.hint' : 'now.none.own.hint')}</p>
      </Empty>
    )
  }
  return (
    <>
      <p class="count soft">{say('now.count', { count: data.items.length })}</p>
      <ul class="sessions">
        {data.items.map((session) => (
          <li key={session.id}>
            <SessionCard session={session} isAdministered={ofEveryone} />
          </li>
        ))}
      </ul>
    </>
  )
}

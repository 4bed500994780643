/** The server: health, versions, backup, agents, projections, and the settings in force. */
import { useQuery } from '@tanstack/preact-query'
import { RefreshCw } from 'lucide'
import { projectionsQuery, serverQuery, type ServerInfo } from '../../data/admin-server.ts'
import { queryClient } from '../../data/query-client.ts'
import { AdminHead } from '../../parts/admin-head.tsx'
import { AdminPart } from '../../parts/admin-part.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Agents, Backup, Health, Versions } from '../../parts/server-facts.tsx'
import { Projections } from '../../parts/server-projections.tsx'
import { Failed, Waiting } from '../../parts/states.tsx'
import { size } from '../../words/format.ts'
import { say } from '../../words/words.ts'

export function Page() {
  const { data: server, error, refetch, isFetching } = useQuery(serverQuery)
  const again = (): void => {
    void refetch()
    void queryClient.invalidateQueries({ queryKey: projectionsQuery.queryKey })
  }
  return (
    <>
      <AdminHead title={say('page.server')}>
        <button type="button" disabled={isFetching} onClick={again}>
          <Icon of={RefreshCw} size={18} />
          {say('server.refresh')}
        </button>
      </AdminHead>
      {server ? <Server server={server} /> : error ? <Failed cause={error} onRetry={() => void refetch()} /> : <Waiting />}
    </>
  )
}

function Server({ server }: { readonly server: ServerInfo }) {
  return (
    <>
      <Health server={server} />
      <div class="admin-columns">
        <AdminPart title={say('server.versions')}>
          <Versions server={server} />
        </AdminPart>
        <AdminPart title={say('server.backup')}>
          <Backup backup={server.backup} />
        </AdminPart>
        <AdminPart title={say('agents.title')}>
          <Agents agents={server.agents} />
        </AdminPart>
        <AdminPart title={say('server.cache')}>
          <Cache server={server} />
        </AdminPart>
        <AdminPart title={say('projections.title')} isWide>
          <Projections />
        </AdminPart>
        <AdminPart title={say('server.settings')} isWide>
          <Settings settings={server.settings} />
        </AdminPart>
      </div>
    </>
  )
}

function Cache({ server: { cache, settings } }: { readonly server: ServerInfo }) {
  const memory = Number(settings.find(({ name }) => name === 'MARQUEE_MEMORY_CACHE_BYTES')?.value ?? Number.NaN)
  const used = cache && say('server.cache.used', { used: size(cache.usedBytes), limit: size(cache.limitBytes) })
  return (
    <>
      {cache && used !== null && (
        <>
          <p>{used}</p>
          <Meter label={say('server.cache.disk')} share={cache.limitBytes > 0 ? cache.usedBytes / cache.limitBytes : 0} text={used} />
        </>
      )}
      {memory > 0 && <p>{say('server.cache.memory', { limit: size(memory) })}</p>}
      <p class="soft">{say('server.cache.hint')}</p>
    </>
  )
}

/** Read only: they are given to the server when it starts. */
function Settings({ settings }: Pick<ServerInfo, 'settings'>) {
  return (
    <>
      <p class="soft">{say('server.settings.hint')}</p>
      <dl class="in-force">
        {settings.map(({ name, value, isSet, meaning }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              <span class="soft">{meaning}</span>
            </dt>
            <dd>
              {value === null ? (
                <span class="soft">{say(isSet ? 'server.settings.secret' : 'server.settings.unset')}</span>
              ) : (
                <code>{value}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

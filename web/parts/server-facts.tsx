/** Health, versions, memory, backup and agents of the server. */
import { CircleCheck, TriangleAlert } from 'lucide'
import type { ServerInfo } from '../data/admin-server.ts'
import { moment, number, size } from '../words/format.ts'
import { say } from '../words/words.ts'
import { FactList } from './fact-list.tsx'
import { Icon } from './icon.tsx'
import { Meter } from './meter.tsx'

export function Health({ server: { ready, reason, warnings } }: { readonly server: ServerInfo }) {
  const isWell = ready && warnings.length === 0
  return (
    <div class={isWell ? 'health' : 'health bad'}>
      <Icon of={isWell ? CircleCheck : TriangleAlert} size={28} />
      <div>
        <strong>{say(ready ? (isWell ? 'server.well' : 'server.warned') : 'server.not-ready')}</strong>
        {!ready && <p>{reason}</p>}
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
      </div>
    </div>
  )
}

export function Versions({ server }: { readonly server: ServerInfo }) {
  const { version, nodeVersion, startedAt, memoryBytes, agents } = server
  const ffmpeg = [...new Set(agents.map(({ ffmpegVersion }) => ffmpegVersion))].filter((one) => one !== '')
  const facts = [
    { name: say('server.version'), text: version },
    { name: 'Node.js', text: nodeVersion },
    { name: 'FFmpeg', text: ffmpeg.join(', ') },
    { name: say('server.started'), text: moment(startedAt) },
    { name: say('server.memory'), text: size(memoryBytes) },
  ]
  return <FactList kind="admin-facts" facts={facts} />
}

export function Backup({ backup: { lastSuccessAt, lastEvents, lastFailure } }: Pick<ServerInfo, 'backup'>) {
  return (
    <>
      <FactList
        kind="admin-facts"
        facts={[
          { name: say('backup.last'), text: lastSuccessAt === null ? say('backup.never') : moment(lastSuccessAt) },
          { name: say('backup.events'), text: lastEvents === null ? '' : number(lastEvents) },
        ]}
      />
      {lastFailure !== null && <p class="wrong">{say('backup.failed', { reason: lastFailure })}</p>}
      <p class="soft">{say('backup.hint')}</p>
    </>
  )
}

export function Agents({ agents }: Pick<ServerInfo, 'agents'>) {
  if (agents.length === 0) return <p class="wrong">{say('agents.none')}</p>
  return (
    <ul class="files">
      {agents.map((agent) => (
        <li key={agent.name}>
          <AgentCard agent={agent} />
        </li>
      ))}
    </ul>
  )
}

function AgentCard({
  agent: { name: agentName, slots, freeSlots, load, encoders, leaving },
}: {
  readonly agent: ServerInfo['agents'][number]
}) {
  const used = Math.max(0, slots - freeSlots)
  const work = say('agents.slots', { used: number(used), slots: number(slots) })
  return (
    <article class="file agent">
      <h3>{agentName}</h3>
      {leaving && <span class="badge bad">{say('agents.leaving')}</span>}
      <div class="agent-work">
        <span>{work}</span>
        <Meter label={say('agents.work')} share={slots > 0 ? used / slots : 0} text={work} />
        <span class="soft">{say('agents.load', { load: number(load) })}</span>
      </div>
      <ul class="chips" aria-label={say('agents.encoders')}>
        {encoders?.map(({ name, framesPerSecond }) => (
          <li class="chip" key={name}>
            {name}
            <span class="soft">{say('agents.speed', { frames: Math.round(framesPerSecond) })}</span>
          </li>
        ))}
      </ul>
      {encoders === null && <p class="soft">{say('agents.testing')}</p>}
    </article>
  )
}

/** One session: who watches what, where, how far, and how it is played; for administrators, what they can do about it. */
import { MessageSquare, Pause, Square } from 'lucide'
import { useState } from 'preact/hooks'
import type { Answer } from '../api/problems.ts'
import { messagePlayer, pausePlayer, stopPlayer, type ActiveSession } from '../data/sessions.ts'
import { clock } from '../words/format.ts'
import { say } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'
import { Meter } from './meter.tsx'
import { Poster } from './poster.tsx'
import { reasonText } from './reasons.ts'
import { toast } from './toast.tsx'

export interface SessionCardProps {
  readonly session: ActiveSession
  /** Names the viewer, and offers to pause, write and stop. */
  readonly isAdministered: boolean
}

export function SessionCard({ session, isAdministered }: SessionCardProps) {
  const { movie, user, device, position, duration, playState } = session
  const times = say('now.position', { position: clock(position), duration: clock(duration) })
  return (
    <article class="session-card" aria-label={movie.title}>
      <Link to={`/films/${movie.id}`} class="session-poster" tabIndex={-1} aria-hidden="true">
        <Poster movie={movie} sizes="6rem" />
      </Link>
      <div class="session-body">
        <h2>
          <Link to={`/films/${movie.id}`} data-focus={`session ${session.id}`}>
            {movie.title}
          </Link>
        </h2>
        <p class="session-who">
          {isAdministered && <strong>{user.name}</strong>}
          <span class="soft">{device ?? say('now.device.unknown')}</span>
        </p>
        <Meter label={say('now.progress')} share={duration > 0 ? position / duration : 0} text={times} />
        <p class="session-times">
          <span class={playState === 'playing' ? 'badge on' : 'badge'}>{say(`now.state.${playState}`)}</span>
          <span>{times}</span>
        </p>
        {session.problem !== null && <p class="warning">{session.problem}</p>}
        <How session={session} />
        {isAdministered && <Actions session={session} />}
      </div>
    </article>
  )
}

function How({ session: { decision } }: { readonly session: ActiveSession }) {
  const { method, reasons, rejected } = decision
  return (
    <details class="how">
      <summary>{say(`player.method.${method}`)}</summary>
      {reasons.length === 0 && rejected.length === 0 ? (
        <p class="soft">{say('player.why.none')}</p>
      ) : (
        <dl>
          <dt>{say('player.why.reasons')}</dt>
          <dd>{reasons.length > 0 ? reasons.map(reasonText).join('; ') : say('player.why.none')}</dd>
          {rejected.map((one) => (
            <div key={one.method}>
              <dt>{say('now.not', { method: say(`player.method.${one.method}`) })}</dt>
              <dd>{one.reasons.map(reasonText).join('; ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  )
}

const MESSAGE_MAX = 500

function Actions({ session: { id, user, playState } }: { readonly session: ActiveSession }) {
  const [asks, setAsks] = useState<'message' | 'stop'>()
  const close = (): void => setAsks(undefined)
  const { name } = user
  const pause = async (): Promise<void> => report(await pausePlayer(id), say('now.pause.done', { name }))
  return (
    <div class="actions">
      <button type="button" disabled={playState === 'paused'} onClick={() => void pause()}>
        <Icon of={Pause} size={18} />
        {say('now.pause')}
      </button>
      <button type="button" onClick={() => setAsks('message')}>
        <Icon of={MessageSquare} size={18} />
        {say('now.message')}
      </button>
      <button type="button" class="danger" onClick={() => setAsks('stop')}>
        <Icon of={Square} size={18} />
        {say('now.stop')}
      </button>
      {asks === 'message' && (
        <Ask
          title={say('now.message.title', { name })}
          action={say('now.message.send')}
          send={({ message = '' }) => messagePlayer(id, message)}
          onDone={() => toast({ text: say('now.message.done', { name }) })}
          onClose={close}
        >
          {(wrongWith) => <Message label={say('now.message.text')} wrong={wrongWith('message')} required />}
        </Ask>
      )}
      {asks === 'stop' && (
        <Ask
          title={say('now.stop.title', { name })}
          text={say('now.stop.hint')}
          action={say('now.stop.do')}
          isDangerous
          send={({ message = '' }) => stopPlayer(id, message)}
          onDone={() => toast({ text: say('now.stop.done', { name }) })}
          onClose={close}
        >
          {(wrongWith) => <Message label={say('now.stop.why')} wrong={wrongWith('message')} />}
        </Ask>
      )}
    </div>
  )
}

interface MessageProps {
  readonly label: string
  readonly wrong: string | undefined
  readonly required?: boolean
}

const Message = ({ label, wrong, required = false }: MessageProps) => (
  <Field label={label} name="message" maxLength={MESSAGE_MAX} required={required} autocomplete="off" wrong={wrong} />
)

/** A session that has just ended is no fault: it is gone from the page, too. */
function report(answer: Answer<unknown>, done: string): void {
  toast({ text: answer.ok ? done : say('mark.refused', { reason: answer.problem.message }) })
}

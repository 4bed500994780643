/** What stands over the video: waiting, messages of administrators, short notes, and why nothing plays any more. */
import { Play } from 'lucide'
import { heldSeconds } from '../data/query-client.ts'
import { go } from '../router.ts'
import { Icon } from '../parts/icon.tsx'
import { say } from '../words/words.ts'
import type { PlayerProps } from './controls.tsx'
import type { Over, PlayerState } from './state.ts'

export function Notices({ player }: PlayerProps) {
  const { waiting, note, over, paused } = player.state
  const isLoading = waiting.value && over.value === undefined
  const awayText = awayTextOf(player.state)
  return (
    <>
      {isLoading && <div class="spinner" role="status" aria-label={say('player.loading')} />}
      {!isLoading && paused.value && over.value === undefined && (
        <button type="button" class="big" tabIndex={-1} aria-hidden="true" onClick={() => player.play()}>
          <Icon of={Play} size={40} />
        </button>
      )}
      <div class="note" role="status">
        {note.value && <span>{note.value.text}</span>}
      </div>
      <div class="away" role="status">
        {awayText === undefined ? null : <span>{awayText}</span>}
      </div>
      <Messages player={player} />
      {over.value && <OverCard player={player} over={over.value} />}
    </>
  )
}

/** Why the film does not come, if that is known. */
function awayTextOf({ away, waiting, problem }: PlayerState): string | undefined {
  if (away.value?.because === 'offline') return say('player.offline')
  if (away.value) return say('app.too-many', { seconds: away.value.seconds ?? 60 })
  if (!waiting.value) return undefined
  const seconds = heldSeconds()
  return seconds > 0 ? say('app.too-many', { seconds }) : (problem.value ?? undefined)
}

function closeMessage({ messages }: PlayerState, id: string): void {
  messages.value = messages.value.filter((one) => one.id !== id)
}

function Messages({ player: { state } }: PlayerProps) {
  return (
    <div class="messages" role="alert">
      {state.messages.value.map(({ id, text }) => (
        <section class="letter" key={id}>
          <h2>{say('player.message')}</h2>
          <p>{text === '' ? say('player.message.paused') : text}</p>
          <button type="button" onClick={() => closeMessage(state, id)}>
            {say('app.close')}
          </button>
        </section>
      ))}
    </div>
  )
}

interface OverProps extends PlayerProps {
  readonly over: Over
}

const TITLES = {
  ended: 'player.ended',
  stopped: 'player.stopped',
  limit: 'player.limit',
  gone: 'player.gone',
  'cannot-play': 'player.cannot',
  failed: 'app.failed',
} as const

function OverCard({ player, over }: OverProps) {
  const next = player.state.next.value
  const isRetried = over.type === 'limit' || over.type === 'failed' || over.type === 'cannot-play'
  return (
    <section class="over" role="alert">
      <h2>{say(TITLES[over.type])}</h2>
      <Details over={over} />
      {over.type === 'ended' && next && <NextMovie player={player} />}
      <div class="buttons">
        {over.type === 'ended' && next && (
          <button type="button" class="primary" onClick={() => player.options.onNext(next.id)}>
            {say('player.play-next')}
          </button>
        )}
        {over.type === 'ended' && (
          <button type="button" onClick={() => player.flow.restart(0)}>
            {say('player.again')}
          </button>
        )}
        {isRetried && (
          <button type="button" class="primary" onClick={() => player.flow.retry()}>
            {say('app.retry')}
          </button>
        )}
        {over.type === 'gone' ? (
          <button type="button" onClick={() => go('/')}>
            {say('app.go-home')}
          </button>
        ) : (
          <button type="button" onClick={player.options.onLeave}>
            {say('player.leave')}
          </button>
        )}
      </div>
    </section>
  )
}

function Details({ over }: { readonly over: Over }) {
  if (over.type === 'stopped' && over.message !== null) return <p>{over.message}</p>
  if (over.type === 'gone') return <p>{say('player.gone.hint')}</p>
  if (over.type === 'failed') return <p>{over.message}</p>
  if (over.type !== 'limit') return null
  return (
    <>
      <p>{say('player.limit.hint')}</p>
      <ul>
        {[...new Set(over.streams)].map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </>
  )
}

function NextMovie({ player: { state } }: PlayerProps) {
  const movie = state.next.value
  if (!movie) return null
  return (
    <div class="next">
      {movie.images.poster !== null && (
        <img
          src={`${movie.images.poster}?w=160&v=1`}
          width={80}
          height={120}
          alt=""
          style={{ backgroundColor: movie.images.posterTint ?? 'transparent' }}
        />
      )}
      <p>
        <span class="soft">{say('player.next', { title: movie.title })}</span>
        {movie.year !== null && <span class="soft"> ({movie.year})</span>}
      </p>
    </div>
  )
}

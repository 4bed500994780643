/** The whole player: video, subtitles, controls, menus and notices in one container, which is what fullscreen shows. */
import { Pause, Play, SquareArrowOutUpLeft, X } from 'lucide'
import type { TargetedPointerEvent } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import { say } from '../words/words.ts'
import { openMenu, perform } from './actions.ts'
import { Controls, IconButton, type PlayerProps } from './controls.tsx'
import { Menus } from './menus.tsx'
import { Notices } from './notices.tsx'
import type { Player } from './player.ts'
import { Subtitles } from './subtitles.tsx'
import { DOUBLE_MS, meaningOf, type Tap } from './taps.ts'

export interface ViewProps extends PlayerProps {
  readonly onClose: () => void
}

export function View({ player, onClose }: ViewProps) {
  const { controls, isBar, paused, over, movie } = player.state
  const stage = useRef<HTMLDivElement>(null)
  useEffect(() => stage.current?.append(player.video, player.canvas), [player])
  const isShown = controls.value || over.value !== undefined
  const classes = ['player', isBar.value ? 'as-bar' : isShown ? 'awake' : 'asleep', ...(paused.value ? ['is-paused'] : [])]
  return (
    <section class={classes.join(' ')} aria-label={say('player.name')} onPointerMove={() => player.controls.wake()}>
      <div class="stage" ref={stage}>
        {movie.value?.images.backdrop != null && <Backdrop player={player} />}
      </div>
      {isBar.value ? (
        <Bar player={player} onClose={onClose} />
      ) : (
        <>
          <Surface player={player} />
          {over.value === undefined && (
            <>
              <Subtitles player={player} />
              <Controls player={player} />
            </>
          )}
          <Notices player={player} />
          <Menus player={player} />
        </>
      )}
    </section>
  )
}

/** Until the first frame is there. */
function Backdrop({ player: { state } }: PlayerProps) {
  const backdrop = state.movie.value?.images.backdrop
  if (state.position.value > 0 && !state.waiting.value) return null
  return <img class="curtain" src={`${backdrop}?w=1280&v=1`} alt="" />
}

/** Clicks and touches of the video. The keyboard has keys of its own for all that they do. */
function createSurface(player: Player) {
  const { state, controls } = player
  const touch: { last: Tap | undefined; timer: number; isTouch: boolean } = { last: undefined, timer: 0, isTouch: false }

  /** A touch that stays alone. */
  function single(wasShown: boolean): void {
    if (state.menu.value !== undefined) openMenu(player, undefined)
    else if (wasShown) controls.hide()
    else controls.wake()
  }

  return {
    down: ({ pointerType }: PointerEvent) => void (touch.isTouch = pointerType === 'touch'),
    click(event: MouseEvent): void {
      if (touch.isTouch) return
      if (state.menu.value !== undefined) return openMenu(player, undefined)
      if (event.detail === 2) perform(player, { type: 'fullscreen' })
      perform(player, { type: 'toggle' })
    },
    up({ currentTarget, clientX, timeStamp, pointerType }: TargetedPointerEvent<HTMLDivElement>): void {
      if (pointerType !== 'touch') return
      const { left, width } = currentTarget.getBoundingClientRect()
      const now: Tap = { at: timeStamp, share: (clientX - left) / width }
      const meaning = meaningOf(now, touch.last)
      touch.last = now
      clearTimeout(touch.timer)
      if (meaning === 'toggle') perform(player, { type: 'toggle' })
      else if (meaning !== 'wait') perform(player, { type: 'seek-by', seconds: meaning === 'back' ? -JUMP_S : JUMP_S })
      else touch.timer = window.setTimeout(single, DOUBLE_MS, state.controls.value)
    },
  }
}

const JUMP_S = 10

function Surface({ player }: PlayerProps) {
  const surface = useMemo(() => createSurface(player), [player])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      class="surface"
      onPointerDown={surface.down}
      onPointerMove={(event) => event.pointerType === 'touch' && event.stopPropagation()}
      onPointerUp={surface.up}
      onClick={surface.click}
    />
  )
}

/** Below another page, while the video is in a window of its own. */
function Bar({ player, onClose }: ViewProps) {
  const { movie, paused } = player.state
  return (
    <div class="bar-row">
      <p class="now-playing">
        <strong>{movie.value?.title}</strong>
      </p>
      <IconButton
        label={say(paused.value ? 'player.play' : 'player.pause')}
        icon={paused.value ? Play : Pause}
        onClick={() => perform(player, { type: 'toggle' })}
      />
      <IconButton label={say('player.return')} icon={SquareArrowOutUpLeft} onClick={() => go(`/watch/${player.movieId}`)} />
      <IconButton label={say('player.close')} icon={X} onClick={onClose} />
    </div>
  )
}

/** The slider of the film: where it is, what is loaded and watched, its chapters, and a thumbnail of where one would go. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { say } from '../words/words.ts'
import type { Chapter } from './engine.ts'
import type { Player } from './player.ts'
import { createSliding, slideTo } from './sliding.ts'
import { durationOf } from './state.ts'
import { chapterAt, clockTime, timeParts, type Stretch } from './times.ts'

const timers = {
  set: (run: () => void, ms: number) => window.setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as number),
}
/** Of a preview without an image, pixels. */
const LEAST_WIDTH = 64
const NO_CHAPTERS: readonly Chapter[] = []

export function Slider({ player }: { readonly player: Player }) {
  const { state } = player
  const duration = durationOf(state)
  const chapters = state.session.value?.chapters ?? NO_CHAPTERS
  const [moved, setMoved] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const sliding = useMemo(() => createSliding((to) => player.seek(to), setMoved, timers), [player])
  const at = moved ?? state.position.value
  const share = (position: number): string => `${duration > 0 ? (100 * position) / duration : 0}%`

  const positionOf = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration
  }
  const press = (event: TargetedPointerEvent<HTMLElement>): void => {
    if (event.button !== 0 || duration === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    sliding.move(positionOf(event))
  }
  const move = (event: TargetedPointerEvent<HTMLElement>): void => {
    player.controls.wake()
    const position = positionOf(event)
    if (event.currentTarget.hasPointerCapture(event.pointerId)) sliding.move(position)
    else if (event.pointerType === 'mouse') setHovered(position)
  }
  const key = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === 'Escape' && moved !== undefined) return (event.stopPropagation(), sliding.cancel())
    const to = slideTo(event.key, at, duration)
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    player.controls.wake()
    sliding.move(to)
  }

  return (
    <div
      class="slider"
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={say('player.position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={placeText(at, duration, chapters)}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => (sliding.release(), setHovered(undefined))}
      onPointerCancel={() => sliding.cancel()}
      onPointerLeave={() => setHovered(undefined)}
      onKeyDown={key}
      onKeyUp={() => moved !== undefined && player.controls.wake()}
      onBlur={() => sliding.release()}
    >
      <div class="track">
        <Stretches class="loaded" of={state.buffered.value} share={share} />
        <Stretches class="watched" of={state.played.value} share={share} />
        <div class="gone" style={{ width: share(at) }} />
        {chapters
          .filter(({ start }) => start > 0 && start < duration)
          .map(({ start }) => (
            <i class="tick" key={start} style={{ left: share(start) }} />
          ))}
      </div>
      <div class="knob" style={{ left: share(at) }} />
      <Preview player={player} at={moved ?? hovered} share={share} />
    </div>
  )
}

function placeText(at: number, duration: number, chapters: readonly Chapter[]): string {
  const index = chapterAt(chapters, at)
  const chapter = index < 0 ? undefined : { number: index + 1, title: chapters[index]?.title ?? null }
  return say('player.place', { position: timeParts(at), duration: timeParts(duration), chapter })
}

interface StretchesProps {
  readonly class: string
  readonly of: readonly Stretch[]
  readonly share: (position: number) => string
}

const Stretches = ({ class: name, of, share }: StretchesProps) => (
  <>
    {of.map(({ start, end }) => (
      <div class={name} key={start} style={{ left: share(start), width: share(end - start) }} />
    ))}
  </>
)

interface PreviewProps {
  readonly player: Player
  readonly at: number | undefined
  readonly share: (position: number) => string
}

function Preview({ player: { state, source }, at, share }: PreviewProps) {
  // Drawn again when the plan has come.
  void state.thumbnails.value
  if (at === undefined) return null
  const thumbnail = source.thumbnails()?.at(at)
  const chapters = state.session.value?.chapters ?? NO_CHAPTERS
  const index = chapterAt(chapters, at)
  const title = index < 0 ? undefined : (chapters[index]?.title ?? say('player.chapter', { number: index + 1 }))
  return (
    <div
      class="preview"
      aria-hidden="true"
      style={{
        left: `clamp(var(--half), ${share(at)}, 100% - var(--half))`,
        '--half': `${Math.max(thumbnail?.w ?? 0, LEAST_WIDTH) / 2}px`,
      }}
    >
      {thumbnail && (
        <div
          class="thumbnail"
          data-sheet={thumbnail.sheet}
          style={{
            width: `${thumbnail.w}px`,
            height: `${thumbnail.h}px`,
            backgroundImage: `url("${thumbnail.url}")`,
            backgroundPosition: `${-thumbnail.x}px ${-thumbnail.y}px`,
          }}
        />
      )}
      {title !== undefined && <span class="chapter">{title}</span>}
      <span class="time">{clockTime(at)}</span>
    </div>
  )
}

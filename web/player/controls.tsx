/** The controls over the video: title above, slider and buttons below. */
import {
  ArrowLeft,
  AudioLines,
  Captions,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  RotateCw,
  Settings2,
  SkipForward,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide'
import { useState } from 'preact/hooks'
import { letterKeys } from '../data/preferences.ts'
import { Icon, type IconProps } from '../parts/icon.tsx'
import { say } from '../words/words.ts'
import { openMenu, perform, setVolume } from './actions.ts'
import type { Player } from './player.ts'
import { supportsPictureInPicture } from './screen.ts'
import { Slider } from './slider.tsx'
import { durationOf, type MenuName } from './state.ts'
import { subtitleOptions } from './tracks.ts'
import { clockTime } from './times.ts'

export interface PlayerProps {
  readonly player: Player
}

interface ButtonProps {
  readonly label: string
  readonly icon: IconProps['of']
  readonly onClick: () => void
  readonly keys?: string
  readonly class?: string
  readonly menu?: boolean | undefined
  readonly pressed?: boolean | undefined
  readonly size?: number
}

export function IconButton({ label, icon, onClick, keys, class: name = '', menu, pressed, size = 24 }: ButtonProps) {
  return (
    <button
      type="button"
      class={`icon ${name}`}
      aria-label={label}
      title={keys === undefined || !letterKeys.value ? label : `${label} (${keys})`}
      aria-keyshortcuts={letterKeys.value ? keys : undefined}
      aria-expanded={menu}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon of={icon} size={size} />
    </button>
  )
}

export function Controls({ player }: PlayerProps) {
  const { movie, session } = player.state
  return (
    <div class="controls" onFocusCapture={() => player.controls.wake()}>
      <div class="above">
        <IconButton label={say('player.back')} icon={ArrowLeft} onClick={player.options.onLeave} />
        <p class="now-playing">
          <strong>{movie.value?.title}</strong>
          {movie.value?.year != null && <span class="soft">{movie.value.year}</span>}
        </p>
      </div>
      <div class="below">
        <Slider player={player} />
        <div class="deck">
          <Transport player={player} />
          <Time player={player} />
          <span class="space" />
          {session.value && <Choices player={player} />}
          <Window player={player} />
        </div>
      </div>
    </div>
  )
}

function Transport({ player }: PlayerProps) {
  const { paused, next } = player.state
  const movie = next.value
  return (
    <>
      <IconButton
        label={say(paused.value ? 'player.play' : 'player.pause')}
        icon={paused.value ? Play : Pause}
        keys="K"
        class="filled"
        onClick={() => perform(player, { type: 'toggle' })}
      />
      <IconButton
        label={say('player.rewind')}
        icon={RotateCcw}
        keys="J"
        class="jump"
        onClick={() => perform(player, { type: 'seek-by', seconds: -10 })}
      />
      <IconButton
        label={say('player.forward')}
        icon={RotateCw}
        keys="L"
        class="jump"
        onClick={() => perform(player, { type: 'seek-by', seconds: 10 })}
      />
      {movie && (
        <IconButton
          label={say('player.next', { title: movie.title })}
          icon={SkipForward}
          keys="N"
          onClick={() => perform(player, { type: 'next' })}
        />
      )}
      <Volume player={player} />
    </>
  )
}

const LOUD = 0.5

function Volume({ player }: PlayerProps) {
  const { volume, muted } = player.state
  const isSilent = muted.value || volume.value === 0
  return (
    <div class="volume">
      <IconButton
        label={say(isSilent ? 'player.unmute' : 'player.mute')}
        icon={isSilent ? VolumeX : volume.value > LOUD ? Volume2 : Volume1}
        keys="M"
        onClick={() => perform(player, { type: 'mute' })}
      />
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={isSilent ? 0 : volume.value}
        aria-label={say('player.volume')}
        aria-valuetext={`${Math.round((isSilent ? 0 : volume.value) * 100)}%`}
        style={{ '--level': `${(isSilent ? 0 : volume.value) * 100}%` }}
        onInput={({ currentTarget }) => setVolume(player, Number(currentTarget.value))}
      />
    </div>
  )
}

function Time({ player: { state } }: PlayerProps) {
  const [isLeft, setLeft] = useState(false)
  const duration = durationOf(state)
  const at = state.position.value
  return (
    <button type="button" class="times" title={say('player.time.switch')} onClick={() => setLeft(!isLeft)}>
      {isLeft ? say('player.left', { time: clockTime(duration - at) }) : clockTime(at)}
      <span class="soft"> / {clockTime(duration)}</span>
    </button>
  )
}

function Choices({ player }: PlayerProps) {
  const { session, menu, subtitle } = player.state
  const toggle = (name: MenuName, ...inner: readonly MenuName[]) => ({
    menu: menu.value !== undefined && [name, ...inner].includes(menu.value),
    onClick: () => openMenu(player, menu.value !== undefined && [name, ...inner].includes(menu.value) ? undefined : name),
  })
  if (!session.value) return null
  const hasSubtitles = subtitleOptions(session.value).length > 0
  return (
    <>
      {hasSubtitles && (
        <IconButton
          label={say('player.subtitles')}
          icon={Captions}
          keys="C"
          class={`opens-subtitles ${subtitle.value ? 'on' : ''}`}
          {...toggle('subtitles', 'look')}
        />
      )}
      {session.value.audio.length > 1 && (
        <IconButton label={say('player.sound')} icon={AudioLines} keys="A" class="opens-sound" {...toggle('sound')} />
      )}
      <IconButton
        label={say('player.settings')}
        icon={Settings2}
        class="opens-settings"
        {...toggle('settings', 'quality', 'speed', 'version', 'why', 'keys')}
      />
    </>
  )
}

function Window({ player }: PlayerProps) {
  const { fullscreen, pictureInPicture } = player.state
  return (
    <>
      {supportsPictureInPicture() && (
        <IconButton
          label={say('player.picture')}
          icon={PictureInPicture2}
          keys="P"
          pressed={pictureInPicture.value}
          class="opens-picture"
          onClick={() => perform(player, { type: 'picture' })}
        />
      )}
      <IconButton
        label={say(fullscreen.value ? 'player.fullscreen.leave' : 'player.fullscreen')}
        icon={fullscreen.value ? Minimize : Maximize}
        keys="F"
        onClick={() => perform(player, { type: 'fullscreen' })}
      />
    </>
  )
}

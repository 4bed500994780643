/** Carries out what keys, buttons and gestures ask of the player. */
import { effect } from '@preact/signals-core'
import { changePreferences, preferences, type Preferences } from '../data/preferences.ts'
import { isSignedIn } from '../data/who.ts'
import { undoLast } from '../parts/toast.tsx'
import { say } from '../words/words.ts'
import type { Session } from './engine.ts'
import { escapeOf, nextSpeed, type Action } from './keys.ts'
import { audioName, subtitleName } from './names.ts'
import type { Player } from './player.ts'
import { durationOf, type MenuName, type PlayerState } from './state.ts'
import { clockTime } from './times.ts'
import { languageOf, rememberedSubtitle, soundOf, subtitleOptions, subtitleToTurnOn, type SubtitleOption } from './tracks.ts'

/** Of a film whose rate is not known. */
const USUAL_FRAME_RATE = 25
const NOTE_MS = 1200
let noteTimer = 0

export function note({ state }: Player, text: string): void {
  clearTimeout(noteTimer)
  state.note.value = { text }
  noteTimer = window.setTimeout(() => void (state.note.value = undefined), NOTE_MS)
}

export function perform(player: Player, action: Action): void {
  const { state, options } = player
  if (action.type !== 'back') player.controls.wake()
  switch (action.type) {
    case 'toggle':
      return toggle(player)
    case 'seek-by':
      return seekBy(player, action.seconds)
    case 'seek-share':
      return player.seek(durationOf(state) * action.share)
    case 'volume':
      return changeVolume(player, action.change)
    case 'mute':
      return mute(player)
    case 'subtitles':
      return toggleSubtitles(player)
    case 'next-subtitle':
      return nextSubtitle(player)
    case 'next-sound':
      return nextAudio(player)
    case 'fullscreen':
      return player.screen.toggleFullscreen()
    case 'picture':
      return player.screen.togglePictureInPicture()
    case 'frame':
      return stepFrame(player, action.count)
    case 'speed':
      return setSpeed(player, nextSpeed(state.rate.value, action.steps))
    case 'next':
      if (state.next.value) options.onNext(state.next.value.id)
      return undefined
    case 'undo':
      return void undoLast()
    case 'help':
      return openMenu(player, state.menu.value === 'keys' ? undefined : 'keys')
    case 'back':
      return back(player)
  }
}

export function openMenu({ state, controls }: Player, menu: MenuName | undefined): void {
  state.menu.value = menu
  controls.wake()
}

function toggle(player: Player): void {
  if (player.state.paused.value) player.play()
  else player.pause()
}

function seekBy(player: Player, seconds: number): void {
  player.seek(player.state.position.value + seconds)
  note(player, `${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s · ${clockTime(player.state.position.value)}`)
}

export function setVolume(player: Player, volume: number): void {
  const { video } = player
  video.volume = Math.min(1, Math.max(0, volume))
  video.muted = video.volume === 0
  player.setDevice({ volume: video.volume, muted: video.muted })
}

function changeVolume(player: Player, change: number): void {
  setVolume(player, Math.round((player.video.volume + change) * 100) / 100)
  note(player, say('player.volume.at', { percent: Math.round(player.video.volume * 100) }))
}

/** After silence: loud enough to be heard, and no shock. */
const HEARD_VOLUME = 0.5

function mute(player: Player): void {
  const { video } = player
  // At volume 0 there is nothing to hear, muted or not.
  if (video.volume === 0) setVolume(player, HEARD_VOLUME)
  else video.muted = !video.muted
  player.setDevice({ muted: video.muted })
  note(player, say(player.video.muted ? 'player.muted' : 'player.unmuted'))
}

export function setSpeed(player: Player, rate: number): void {
  player.video.playbackRate = rate
  player.state.rate.value = rate
  note(player, `${rate} ×`)
}

function stepFrame(player: Player, count: number): void {
  player.pause()
  player.seek(player.video.currentTime + count / (player.source.engine()?.frameRate() ?? USUAL_FRAME_RATE))
}

export function setQuality(player: Player, quality: string | undefined): void {
  player.state.quality.value = quality
  player.setDevice({ quality })
  player.source.choose()
}

/** For other films. */
async function remember(player: Player, choice: Preferences): Promise<void> {
  const answer = await changePreferences(choice)
  if (!answer.ok) note(player, say('mark.refused', { reason: answer.problem.message }))
}

/** `isNoted`: by a key, so that the person sees what was chosen. */
export function setAudio(player: Player, index: number, isNoted = false): void {
  const { state } = player
  const track = state.session.value?.audio[index]
  if (!track) return
  state.audio.value = index
  const language = languageOf(track.language)
  if (language !== undefined) void remember(player, { audioLanguage: language })
  player.source.choose()
  if (isNoted) note(player, audioName(track))
}

function nextAudio(player: Player): void {
  const { session, audio } = player.state
  if (!session.value) return
  const count = session.value.audio.length
  if (count > 1) setAudio(player, (soundOf(session.value, audio.value) + 1) % count, true)
}

/** Members that are undefined are not sent. */
const WITHOUT_SUBTITLE = { subtitleIndex: undefined, burnSubtitle: undefined }

/** Language of the subtitles that the person chose last, in any film. */
let lastLanguage: string | null | undefined
/** The track that was turned off last. Its id means nothing in another file. */
let turnedOff: { readonly fileId: string; readonly id: string } | undefined
effect(() => {
  if (!isSignedIn()) lastLanguage = turnedOff = undefined
})

/** For a choice by the person, which is remembered for other films. */
export function setSubtitle(player: Player, option: SubtitleOption | undefined, isNoted = false): void {
  if (option) lastLanguage = option.language
  void remember(player, { subtitleLanguage: rememberedSubtitle(option) })
  showSubtitle(player, option, isNoted)
}

function showSubtitle(player: Player, option: SubtitleOption | undefined, isNoted: boolean): void {
  const { state } = player
  const burnt = state.session.value?.burnIn ?? null
  state.subtitle.value = option
  if (isNoted) note(player, option ? subtitleName(option) : say('player.subtitles.off'))
  if (option?.isBurnt === true) player.flow.change({ subtitleIndex: option.index, burnSubtitle: true })
  else if (burnt !== null) player.flow.change(WITHOUT_SUBTITLE)
}

/** For this film alone. */
function toggleSubtitles(player: Player): void {
  const { session, subtitle } = player.state
  if (!session.value) return
  if (subtitle.value) {
    turnedOff = { fileId: session.value.fileId, id: subtitle.value.id }
    return showSubtitle(player, undefined, true)
  }
  const wanted = subtitleFor(session.value, player.state)
  if (wanted) showSubtitle(player, wanted, true)
  else note(player, say('player.subtitles.none'))
}

function subtitleFor(session: Session, { audio }: PlayerState): SubtitleOption | undefined {
  const options = subtitleOptions(session)
  const before = turnedOff?.fileId === session.fileId ? turnedOff.id : undefined
  const again = options.find(({ id, isBurnt, forced }) => id === before && !isBurnt && !forced)
  if (again) return again
  const spoken = session.audio[soundOf(session, audio.value)]?.language
  return subtitleToTurnOn(options, { choices: preferences(), last: lastLanguage, own: navigator.languages, spoken })
}

function nextSubtitle(player: Player): void {
  const { session, subtitle } = player.state
  if (!session.value) return
  const texts = subtitleOptions(session.value).filter(({ isBurnt }) => !isBurnt)
  const place = texts.findIndex(({ id }) => id === subtitle.value?.id)
  if (texts.length > 0) setSubtitle(player, texts[place + 1], true)
}

/** Another file of the same film: it goes on at the same position. */
export function setVersion(player: Player, fileId: string): void {
  player.state.audio.value = undefined
  player.state.subtitle.value = undefined
  player.flow.change({ ...WITHOUT_SUBTITLE, fileId })
}

function back(player: Player): void {
  const { state, controls, screen, options } = player
  const isOver = state.over.value !== undefined
  const step = escapeOf({
    menu: state.menu.value !== undefined,
    controls: state.controls.value && !isOver,
    fullscreen: state.fullscreen.value,
  })
  if (step === 'close-menu') openMenu(player, undefined)
  else if (step === 'hide-controls') controls.hide()
  else if (step === 'leave-fullscreen') screen.toggleFullscreen()
  else options.onLeave()
}

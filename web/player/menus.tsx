/** The menus: subtitles and their look, sound, quality, speed, version. */
import { say, type Key } from '../words/words.ts'
import { openMenu, setQuality, setAudio, setSpeed, setSubtitle, setVersion } from './actions.ts'
import type { PlayerProps } from './controls.tsx'
import { SPEEDS } from './keys.ts'
import { LOOKS, type SubtitleLook } from './look.ts'
import { bitrateText, qualityName, audioDetail, audioName, subtitleDetail, subtitleName } from './names.ts'
import { Choice, Dialog, Leads, Menu } from './panel.tsx'
import type { MenuName } from './state.ts'
import { soundOf, subtitleOptions } from './tracks.ts'
import { Keys, Why } from './why.tsx'

const PANELS: Readonly<Record<MenuName, (props: PlayerProps) => preact.JSX.Element | null>> = {
  subtitles: SubtitleMenu,
  look: LookPanel,
  sound: AudioMenu,
  settings: SettingsMenu,
  quality: QualityMenu,
  speed: SpeedMenu,
  version: VersionMenu,
  why: Why,
  keys: Keys,
}

export function Menus({ player }: PlayerProps) {
  const name = player.state.menu.value
  if (name === undefined) return null
  const Panel = PANELS[name]
  return <Panel player={player} key={name} />
}

const closing = (player: PlayerProps['player']) => () => openMenu(player, undefined)

function SubtitleMenu({ player }: PlayerProps) {
  const { session, subtitle } = player.state
  if (!session.value) return null
  const chosen = subtitle.value?.id
  return (
    <Menu title={say('player.subtitles')} onClose={closing(player)}>
      <Choice label={say('player.subtitles.off')} isChosen={chosen === undefined} onClick={() => setSubtitle(player, undefined)} />
      {subtitleOptions(session.value).map((option) => (
        <Choice
          key={option.id}
          label={subtitleName(option)}
          detail={subtitleDetail(option)}
          isChosen={chosen === option.id}
          onClick={() => setSubtitle(player, option)}
        />
      ))}
      <Leads label={say('player.look')} onClick={() => openMenu(player, 'look')} />
    </Menu>
  )
}

function LookPanel({ player }: PlayerProps) {
  const { look } = player.state.device.value
  const change = (part: Partial<SubtitleLook>) => player.setDevice({ look: { ...look, ...part } })
  const names = Object.keys(LOOKS) as (keyof typeof LOOKS)[]
  return (
    <Dialog title={say('player.look')} onClose={closing(player)} onBack={() => openMenu(player, 'subtitles')}>
      <div class="look">
        {names.map((name) => (
          <label key={name}>
            <span>{say(`player.look.${name}`)}</span>
            <select value={look[name]} onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}>
              {LOOKS[name].map((value) => (
                <option key={value} value={value}>
                  {say(`player.look.${name}.${value}` as Key & `player.look.size.${SubtitleLook['size']}`)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <label>
          <span>{say('player.look.read')}</span>
          <input type="checkbox" checked={look.readOut} onChange={({ currentTarget }) => change({ readOut: currentTarget.checked })} />
        </label>
      </div>
    </Dialog>
  )
}

function AudioMenu({ player }: PlayerProps) {
  const { session, audio } = player.state
  const heard = session.value && soundOf(session.value, audio.value)
  return (
    <Menu title={say('player.sound')} onClose={closing(player)}>
      {session.value?.audio.map((track) => (
        <Choice
          key={track.index}
          label={audioName(track)}
          detail={audioDetail(track)}
          isChosen={heard === track.index}
          onClick={() => setAudio(player, track.index)}
        />
      ))}
    </Menu>
  )
}

const speedName = (rate: number): string => (rate === 1 ? say('player.speed.normal') : `${rate} ×`)

function SettingsMenu({ player }: PlayerProps) {
  const { session, quality, rate, movie } = player.state
  const open = (name: MenuName) => () => openMenu(player, name)
  const chosen = session.value?.qualities.find(({ name }) => name === quality.value)
  const files = movie.value?.files ?? []
  return (
    <Menu title={say('player.settings')} onClose={closing(player)}>
      <Leads label={say('player.quality')} detail={chosen ? qualityName(chosen) : say('player.quality.auto')} onClick={open('quality')} />
      <Leads label={say('player.speed')} detail={speedName(rate.value)} onClick={open('speed')} />
      {files.length > 1 && <Leads label={say('player.version')} onClick={open('version')} />}
      <Leads label={say('player.why')} onClick={open('why')} />
      <Leads label={say('player.keys')} onClick={open('keys')} />
    </Menu>
  )
}

function QualityMenu({ player }: PlayerProps) {
  const { session, quality, shownQuality } = player.state
  const shown = session.value?.qualities.find(({ name }) => name === shownQuality.value)
  return (
    <Menu title={say('player.quality')} onClose={closing(player)} onBack={() => openMenu(player, 'settings')}>
      <Choice
        label={say('player.quality.auto')}
        detail={quality.value === undefined && shown ? qualityName(shown) : undefined}
        isChosen={quality.value === undefined}
        onClick={() => setQuality(player, undefined)}
      />
      {session.value?.qualities.map((one) => (
        <Choice
          key={one.name}
          label={qualityName(one)}
          detail={`${bitrateText(one.bitrate)} · ${say(`player.method.${one.method}`)}`}
          isChosen={quality.value === one.name}
          onClick={() => setQuality(player, one.name)}
        />
      ))}
      <Leads label={say('player.why')} onClick={() => openMenu(player, 'why')} />
    </Menu>
  )
}

function SpeedMenu({ player }: PlayerProps) {
  return (
    <Menu title={say('player.speed')} onClose={closing(player)} onBack={() => openMenu(player, 'settings')}>
      {SPEEDS.map((speed) => (
        <Choice key={speed} label={speedName(speed)} isChosen={player.state.rate.value === speed} onClick={() => setSpeed(player, speed)} />
      ))}
    </Menu>
  )
}

function VersionMenu({ player }: PlayerProps) {
  const { movie, session } = player.state
  return (
    <Menu title={say('player.version')} onClose={closing(player)} onBack={() => openMenu(player, 'settings')}>
      {movie.value?.files
        .filter(({ available }) => available)
        .map(({ id, name, resolution }) => (
          <Choice
            key={id}
            label={name}
            detail={resolution ?? undefined}
            isChosen={session.value?.fileId === id}
            onClick={() => setVersion(player, id)}
          />
        ))}
    </Menu>
  )
}

/** Panels to read: how the film plays and why, and the list of keys. */
import { useEffect, useState } from 'preact/hooks'
import { letterKeys } from '../data/preferences.ts'
import { reasonText } from '../parts/reasons.ts'
import { say, type Key } from '../words/words.ts'
import { openMenu } from './actions.ts'
import type { PlayerProps } from './controls.tsx'
import { KEY_LIST } from './keys.ts'
import { bitrateText, qualityName } from './names.ts'
import { Dialog } from './panel.tsx'
import { bufferedAhead, stretches } from './times.ts'

const AGAIN_MS = 1000

export function Why({ player }: PlayerProps) {
  const [, setTime] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTime((time) => time + 1), AGAIN_MS)
    return () => clearInterval(timer)
  }, [])
  const session = player.state.session.value
  if (!session) return null
  const { method, reasons, rejected } = session.decision
  return (
    <Dialog title={say('player.why')} onClose={() => openMenu(player, undefined)} onBack={() => openMenu(player, 'settings')}>
      <dl class="figures">
        <Fact name="player.why.method" value={say(`player.method.${method}`)} />
        <Fact name="player.why.reasons" value={reasons.length > 0 ? reasons.map(reasonText).join('; ') : say('player.why.none')} />
        {rejected.length > 0 && (
          <Fact
            name="player.why.rejected"
            value={rejected.map((one) => `${say(`player.method.${one.method}`)}: ${one.reasons.map(reasonText).join('; ')}`).join('. ')}
          />
        )}
        {session.problem !== null && <Fact name="player.why.problem" value={session.problem} />}
        <Measured player={player} />
      </dl>
    </Dialog>
  )
}

function Measured({ player: { video, state, source } }: PlayerProps) {
  const engine = source.engine()
  const shown = state.session.value?.qualities.find(({ name }) => name === state.shownQuality.value)
  const seconds = Math.round(bufferedAhead(stretches(video.buffered), video.currentTime))
  const { droppedVideoFrames: dropped, totalVideoFrames: total } = video.getVideoPlaybackQuality()
  const bandwidth = engine?.bandwidth()
  return (
    <>
      {shown && <Fact name="player.why.shown" value={`${qualityName(shown)} · ${video.videoWidth} × ${video.videoHeight}`} />}
      {engine && <Fact name="player.why.engine" value={say(`player.why.engine.${engine.kind}`)} />}
      <Fact name="player.why.buffer" value={say('player.why.buffer.value', { seconds })} />
      <Fact name="player.why.dropped" value={say('player.why.dropped.value', { dropped, total })} />
      {bandwidth !== undefined && <Fact name="player.why.network" value={bitrateText(bandwidth)} />}
    </>
  )
}

const Fact = ({ name, value }: { readonly name: Key & `player.why.${string}`; readonly value: string }) => (
  <div>
    <dt>{say(name as 'player.why')}</dt>
    <dd>{value}</dd>
  </div>
)

export function Keys({ player }: PlayerProps) {
  return (
    <Dialog title={say('player.keys')} onClose={() => openMenu(player, undefined)} onBack={() => openMenu(player, 'settings')}>
      {!letterKeys.value && <p>{say('player.keys.off')}</p>}
      <dl class="keys">
        {KEY_LIST.map(([keys, phrase]) => (
          <div key={phrase}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(phrase as 'player.key.toggle')}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** The layer of subtitles: text over the video, above the controls while those are shown. */
import { useEffect, useState } from 'preact/hooks'
import { say } from '../words/words.ts'
import { note } from './actions.ts'
import { cueLines, cueText, isAtTop, type Run } from './cues.ts'
import type { Player } from './player.ts'
import { followTrack } from './text-track.ts'
import { subtitleOptions } from './tracks.ts'

export function Subtitles({ player }: { readonly player: Player }) {
  const { state, video } = player
  const [cues, setCues] = useState<readonly VTTCue[]>([])
  const session = state.session.value
  // Addresses are those of the session: a new one has new ones.
  const option = session && subtitleOptions(session).find(({ id }) => id === state.subtitle.value?.id)
  const [url, language] = [option?.url ?? null, option?.language ?? null]
  useEffect(() => {
    if (url === null) return undefined
    return followTrack(video, { url, language }, { onCues: setCues, onError: () => note(player, say('player.subtitles.failed')) })
  }, [player, video, url, language])
  const { size, colour, background, edge, height, readOut } = state.device.value.look
  const groups = [
    { place: 'top', cues: cues.filter(isAtTop) },
    { place: 'bottom', cues: cues.filter((cue) => !isAtTop(cue)) },
  ]
  return (
    <div
      class={`subtitles size-${size} colour-${colour} background-${background} edge-${edge} height-${height}`}
      lang={option?.language ?? undefined}
    >
      {groups.map(({ place, cues }) => (
        <div class={`cues ${place}`} key={place} aria-hidden={readOut ? 'true' : undefined}>
          {cues.map((cue) => (
            <p key={`${cue.startTime} ${cue.text}`} class={`cue ${cue.align}`} dir="auto">
              {cueLines(cue.text).map((line) => (
                <span class="line" key={line[0]?.id}>
                  {line.map((run) => (
                    <Styled run={run} key={run.id} />
                  ))}
                </span>
              ))}
            </p>
          ))}
        </div>
      ))}
      {readOut && (
        <div class="hidden" aria-live="polite">
          {cues.map(({ text }) => cueText(text)).join(' ')}
        </div>
      )}
    </div>
  )
}

function Styled({ run: { text, italic, bold, underline } }: { readonly run: Run }) {
  const classes = [italic && 'italic', bold && 'bold', underline && 'underline'].filter(Boolean).join(' ')
  return classes === '' ? <>{text}</> : <span class={classes}>{text}</span>
}

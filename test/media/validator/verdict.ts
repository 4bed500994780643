/** Validates a served film: returns one sentence for each broken rule. */
import { IFRAME_MASTER_RULES, IFRAME_RULES } from './iframe-rules.ts'
import { INDEPENDENCE_RULES, STANDING_RULES } from './independence-rules.ts'
import { INIT_RULES } from './init-rules.ts'
import { MASTER_RULES } from './master-rules.ts'
import type { MediaText } from './playlist-text.ts'
import { judge, type Rule } from './rule.ts'
import { rulesFor } from './segment-rules.ts'
import type { Served } from './served.ts'
import { SERVED_RULES } from './served-rules.ts'
import { SUBTITLE_RULES } from './subtitle-rules.ts'
import { MEDIA_TEXT_RULES, MP4_TEXT_RULES, TEXT_RULES } from './text-rules.ts'

export function verdictOn(served: Served): readonly string[] {
  const { master, renditions, subtitles, iframes } = served
  return [
    ...judge(TEXT_RULES, master, 'master'),
    ...judge(MASTER_RULES, master, 'master'),
    ...judge([...SERVED_RULES, ...INDEPENDENCE_RULES, ...IFRAME_MASTER_RULES], served, 'master'),
    ...renditions.flatMap((rendition) => [
      ...judge([...TEXT_RULES, ...MEDIA_TEXT_RULES, ...MP4_TEXT_RULES].map(onPlaylist), rendition, `${rendition.name} playlist`),
      ...judge(INIT_RULES, rendition.init, `${rendition.name} init`),
      ...judge(rulesFor(rendition), rendition, rendition.name),
    ]),
    ...iframes.flatMap((one) => [
      ...judge([...TEXT_RULES, ...MEDIA_TEXT_RULES, ...MP4_TEXT_RULES].map(onPlaylist), one, one.path),
      ...judge([...IFRAME_RULES, ...STANDING_RULES], one, one.path),
    ]),
    ...subtitles.flatMap((subtitle) => [
      ...judge([...TEXT_RULES, ...MEDIA_TEXT_RULES].map(onPlaylist), subtitle, subtitle.path),
      ...judge(SUBTITLE_RULES, subtitle, subtitle.path),
    ]),
  ]
}

function onPlaylist(rule: Rule<MediaText>): Rule<{ readonly playlist: MediaText }> {
  return { ...rule, check: ({ playlist }) => rule.check(playlist) }
}

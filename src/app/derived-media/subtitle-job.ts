/** Extracts the text subtitles of each film slowly in the background, so that they are ready when the film is played. */
import type { TextTracks } from '../../ports/text-tracks.ts'
import { walkFilesForTask, type BackgroundFiles } from '../tasks/file-walk.ts'
import { textMediaFile } from './text-tracks.ts'

export interface SubtitleJobDependencies extends BackgroundFiles {
  readonly texts: Pick<TextTracks, 'isKept' | 'takeOut'>
}

/** Runs until the signal. */
export function runSubtitleJob(deps: SubtitleJobDependencies, signal: AbortSignal): Promise<void> {
  const { texts } = deps
  return walkFilesForTask(
    deps,
    {
      async isKept(file) {
        const mediaFile = textMediaFile(file)
        return mediaFile.tracks.length === 0 || texts.isKept(mediaFile)
      },
      make: (file) => texts.takeOut(textMediaFile(file), { background: true, signal }),
    },
    signal,
  )
}

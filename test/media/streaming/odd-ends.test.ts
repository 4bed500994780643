/** Clips whose video and audio do not start and end together, or that are nearly empty. */
import t from 'tap'
import { proveClips } from './clip-proof.ts'

proveClips(t, [
  'late-audio.mp4',
  'late-mp3.mkv',
  'late-aac.mkv',
  'late-aac.ts',
  'late-video.mkv',
  'late-video.mp4',
  'long-audio.mp4',
  'long-video.mkv',
  'gap.mkv',
  'one-frame.mp4',
  'one-frame.mkv',
])

/** Clips whose video and audio do not start and end together, or that are nearly empty. */
import t from 'tap'
import { proveClips } from './clip-proof.ts'

proveClips(t, [
  'late-sound.mp4',
  'late-mp3.mkv',
  'late-aac.mkv',
  'late-aac.ts',
  'late-picture.mkv',
  'late-picture.mp4',
  'long-sound.mp4',
  'long-picture.mkv',
  'gap.mkv',
  'one-picture.mp4',
  'one-picture.mkv',
])

/** Joins of clips that are hard to segment because of their groups of pictures, times or containers. */
import t from 'tap'
import { proveClips } from './clip-proof.ts'

proveClips(t, [
  'b-frames.mkv',
  'open-gop.mkv',
  'hevc-cra.mkv',
  'variable.mp4',
  'broadcast.ts',
  'negative-offsets.mp4',
  'edited.mp4',
  'mp3.mkv',
  'surround.mkv',
  'silent.mp4',
])

/** Joins of clips that are hard to cut: by their groups of pictures, their times, their containers. */
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

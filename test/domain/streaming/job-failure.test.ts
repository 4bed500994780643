import t from 'tap'
import { failureReason, failureWords } from '../../../src/domain/streaming/job-failure.ts'

t.test('viewers read the words of a failure, never its detail', (t) => {
  const detail = "ffmpeg ended with 1: Error opening '/mnt/my films/A Film.mkv'"
  t.equal(failureReason('ffmpeg-failed', detail), `[ffmpeg-failed] ${detail}`)
  t.equal(failureWords(failureReason('ffmpeg-failed', detail)), 'The transcoder could not make this part of the film')
  t.equal(failureWords(failureReason('film-unreadable', detail)), 'The file of this film cannot be read at the moment')
  t.equal(failureWords(failureReason('no-libass')), 'This transcoder cannot draw subtitles: its ffmpeg has no libass')
  t.end()
})

t.test('an agent of another version reveals to viewers no more than its failure', (t) => {
  for (const reason of [
    '',
    'ffmpeg ended with 1: /films/a.mkv: No such file or directory',
    '[not-known-yet] /films/a.mkv',
    '[toString] x',
    ' [no-libass]',
  ]) {
    t.equal(failureWords(reason), 'The transcoder failed', reason)
  }
  t.end()
})

import t from 'tap'
import { resumePoints } from '../../../projections/views/resume-points.ts'
import { ID_PATTERN } from '../../../src/vocabulary/id.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'

t.test('entries have identifiers like all others, also those of points that were set by hand', (t) => {
  const at = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis'), fileId: named<'file'>('1080p'), durationMs: 60_000 }
  const played = {
    ...at,
    sessionId: named<'session'>('evening'),
    positionMs: 1_000,
    playState: 'playing',
    rate: 1,
    sequence: null,
  } as const
  const documents = fold(
    resumePoints,
    { type: 'PlaybackHeartbeat', data: played },
    { type: 'ResumePointSet', data: { ...at, positionMs: 2_000 } },
    { type: 'ResumePointSet', data: { ...at, positionMs: 3_000 } },
  )
  t.equal(documents.size, 3)
  for (const [id, document] of documents) {
    t.match(id, new RegExp(ID_PATTERN))
    t.equal(document.id, id)
  }
  t.end()
})

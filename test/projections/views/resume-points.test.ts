import t from 'tap'
import { resumePoints } from '../../../projections/views/resume-points.ts'
import { ID_PATTERN } from '../../../src/vocabulary/id.ts'
import { named } from '../../fixtures/names.ts'
import { fold } from '../../fixtures/fold.ts'
import type { Happened } from '../../fixtures/given.ts'

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

t.test('an import that is undone takes the points that it brought with it, and no other', (t) => {
  const mark = { userId: named<'user'>('ann'), movieId: named<'movie'>('metropolis') }
  const place = { fileId: named<'file'>('1080p'), positionMs: 1_000, durationMs: 60_000 }
  const outcome = { watchedAt: null, playCount: 0, lastImportedAt: null }
  const watchedAt = '2024-05-01T20:00:00.000Z'
  const importedTo = (viewing: string, from: string): Happened => ({
    type: 'WatchImported',
    data: {
      ...mark,
      libraryId: named<'library'>('films'),
      title: 'Metropolis',
      year: 1927,
      importId: named<'import'>(from),
      source: 'plex',
      viewingId: named<'viewing'>(viewing),
      watchedAt,
      plays: 0,
      watchedMs: 0,
      left: place,
      outcome,
    },
  })
  const undone: Happened = {
    type: 'WatchImportUndone',
    data: { ...mark, importId: named<'import'>('first'), viewingIds: [named<'viewing'>('one')], leftAt: [watchedAt], outcome },
  }
  const brought = [
    importedTo('one', 'first'),
    importedTo('two', 'second'),
    { type: 'ResumePointSet', data: { ...mark, ...place } },
  ] as const
  t.equal(fold(resumePoints, ...brought).size, 3)
  t.strictSame([...fold(resumePoints, ...brought, undone).keys()], [...fold(resumePoints, ...brought).keys()].slice(1))
  t.end()
})

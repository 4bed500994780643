import t from 'tap'
import { createChangePositions } from '../../../src/app/feed/change-positions.ts'
import type { Caller } from '../../../src/app/access/caller.ts'
import { parseId, type Id, type LibraryId } from '../../../src/vocabulary/id.ts'
import { START, toPosition, type Position } from '../../../src/events/position.ts'
import type { RecordedEvent } from '../../../src/events/recorded.ts'

function id<Kind extends string>(name: string): Id<Kind> {
  const made = parseId<Kind>(name.padEnd(21, '0'))
  if (!made) throw new Error(name)
  return made
}
const [films, series] = [id<'library'>('films'), id<'library'>('shelf')]
const [ann, bob] = ['ann', 'bob'].map((name): Caller => ({
  userId: id(name),
  loginId: id('login'),
  role: 'user',
  libraryAccess: 'selected',
  libraryIds: [films],
})) as [Caller, Caller]

function watch({ moviesMax = 100 } = {}) {
  const libraries = new Map([films, series].map((library) => [library, {}])) as never
  let position = 10
  let least: Position = toPosition(10)
  const seen = (caller: Caller, library: string) =>
    caller.libraryIds.includes(library as LibraryId) ? ({ id: library } as never) : undefined
  const changes = createChangePositions({
    access: { libraries, library: seen },
    readYourWrites: { least: () => least },
    head: async () => toPosition(10),
    moviesMax,
  })
  return {
    changes,
    happens: (stream: string, data: object = {}, shown = true): void => {
      position += 1
      changes.feed.apply({ stream, data, position: toPosition(position) } as unknown as RecordedEvent)
      if (shown) least = toPosition(position)
    },
    show: () => (least = toPosition(position)),
    start: () => changes.feed.load(undefined as never),
  }
}

t.test('what a caller sees changes the catalogue, what a caller does not see leaves it', async (t) => {
  const { changes, happens, start } = watch()
  await start()
  const before = changes.catalogue(ann)
  t.type(before, 'string')
  t.not(changes.catalogue(bob), before, 'each caller has one of their own')
  for (const [stream, data] of [
    [`library-${series}`, {}],
    [`scan-${series}`, {}],
    [`movie-${id('theirs')}`, { libraryId: series }],
    [`movie-${id('theirs')}`, {}],
    [`watched-${bob.userId}_${id('mine')}`, {}],
    [`playback-${id('s')}`, { userId: bob.userId }],
    [`user-${bob.userId}`, {}],
    [`login-${id('l')}`, { userId: ann.userId }],
  ] as const) {
    happens(stream, data)
    t.equal(changes.catalogue(ann), before, stream)
  }
  const tags = new Set([before])
  for (const [stream, data] of [
    [`library-${films}`, {}],
    [`scan-${films}`, {}],
    [`movie-${id('mine')}`, { libraryId: films }],
    [`movie-${id('mine')}`, {}],
    [`watched-${ann.userId}_${id('mine')}`, {}],
    [`playback-${id('s')}`, { userId: ann.userId }],
    [`user-${ann.userId}`, {}],
  ] as const) {
    happens(stream, data)
    t.notOk(tags.has(changes.catalogue(ann)), stream)
    tags.add(changes.catalogue(ann))
  }
})

t.test('what changes movies of a library changes their tag for everybody, and nothing else does', async (t) => {
  const { changes, happens, show, start } = watch()
  await start()
  const before = changes.movies([films])
  t.type(before, 'string')
  t.equal(new Set([before, changes.movies([series]), changes.movies([films, series])]).size, 3, 'each set of libraries has its own')
  for (const stream of [`watched-${ann.userId}_${id('mine')}`, `user-${ann.userId}`, `library-${series}`]) {
    happens(stream)
    t.equal(changes.movies([films]), before, stream)
  }
  const tags = new Set([before])
  for (const [stream, data] of [
    [`library-${films}`, {}],
    [`movie-${id('mine')}`, { libraryId: films }],
    [`movie-${id('mine')}`, {}],
  ] as const) {
    happens(stream, data, false)
    t.equal(changes.movies([films]), undefined, 'reads may show an older state')
    show()
    t.notOk(tags.has(changes.movies([films])), stream)
    tags.add(changes.movies([films]))
  }
})

t.test('a grant that goes and a grant that comes change it, and the old one is as it was', async (t) => {
  const { changes, happens, start } = watch()
  await start()
  for (const what of ['before the first event', 'after an event, when tags are kept']) {
    const [one, both, none] = [[films], [films, series], []].map((libraryIds) => changes.catalogue({ ...ann, libraryIds }))
    t.equal(new Set([one, both, none]).size, 3, what)
    t.equal(changes.catalogue(ann), one, what)
    t.equal(changes.catalogue(ann), one, what)
    t.not(changes.catalogue({ ...ann, role: 'admin' }), one, what)
    happens(`login-${id('l')}`)
  }
})

t.test('a movie whose library is unknown changes it for all: nobody gets a wrong "nothing new"', async (t) => {
  const { changes, happens, start } = watch({ moviesMax: 1 })
  await start()
  happens(`movie-${id('theirs')}`, { libraryId: series })
  happens(`movie-${id('other')}`, { libraryId: series })
  const before = changes.catalogue(ann)
  happens(`movie-${id('theirs')}`)
  t.not(changes.catalogue(ann), before)
})

t.test('while the views that reads show are behind, nothing is known', async (t) => {
  const { changes, happens, show, start } = watch()
  await start()
  happens(`library-${films}`, {}, false)
  t.equal(changes.catalogue(ann), undefined)
  t.type(changes.catalogue({ ...ann, libraryIds: [series] }), 'string', 'but of what did not change')
  show()
  t.type(changes.catalogue(ann), 'string')
})

t.test('events that come twice, after the feed was interrupted, change nothing', async (t) => {
  const { changes, happens, start } = watch()
  t.equal(await start(), toPosition(10))
  happens(`library-${films}`)
  const before = changes.catalogue(ann)
  t.equal(await start(), toPosition(11), 'it goes on where it was')
  changes.feed.apply({ stream: `library-${films}`, data: {}, position: toPosition(11) } as unknown as RecordedEvent)
  t.equal(changes.catalogue(ann), before)
  t.ok(START < toPosition(1))
})

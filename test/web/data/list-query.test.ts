import t from 'tap'
import { filtersIn, listQueryIn, withoutFilter } from '../../../web/data/list-query.ts'

t.test('an address says what the list shows', async (t) => {
  t.strictSame(listQueryIn('?genre=Drama&genre=Science+Fiction&year=1999&watched=false&sort=year&order=asc'), {
    genre: ['Drama', 'Science Fiction'],
    year: [1999],
    watched: false,
    sort: 'year',
    order: 'asc',
  })
  t.strictSame(listQueryIn('?sort=random&seed=77'), { sort: 'random', seed: 77 })
})

t.test('what the API would refuse is left out', async (t) => {
  const long = 'g'.repeat(201)
  for (const search of [
    'libraryId=x',
    'personId=-bcdefghijklmnopqrstu',
    `genre=${long}`,
    'resolution=foo',
    'year=-4',
    'year=99999',
    'q=%20',
  ]) {
    t.strictSame(listQueryIn(`?${search}`), {}, search)
    t.strictSame(filtersIn(`?${search}`), [], search)
  }
  t.strictSame(listQueryIn('?yearFrom=2020&yearTo=2010'), {}, 'no year is between them')
  t.strictSame(listQueryIn(`?q=${'a'.repeat(199)}🎬b`), { q: `${'a'.repeat(199)}🎬` }, 'no character is cut in half')
  t.strictSame(listQueryIn('?libraryId=x&libraryId=abcdefghijklmnopqrstu&year=1e3&year=1999'), {
    libraryId: ['abcdefghijklmnopqrstu'],
    year: [1999],
  })
  t.strictSame(listQueryIn('?sort=upside-down&order=sideways&watched=maybe&yearFrom=x&genre=&other=1&seed=5'), {})
})

t.test('one value of a filter can be taken away, the others stay', async (t) => {
  const search = '?genre=Drama&genre=Comedy&sort=year'
  t.strictSame(filtersIn(search), [
    { name: 'genre', value: 'Drama' },
    { name: 'genre', value: 'Comedy' },
  ])
  t.equal(withoutFilter(search, { name: 'genre', value: 'Drama' }), '?sort=year&genre=Comedy')
  t.equal(withoutFilter('?genre=Drama', { name: 'genre', value: 'Drama' }), '')
})

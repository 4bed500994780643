import t from 'tap'
import { whyNoMovies } from '../../../web/data/no-movies.ts'

const idle = { state: 'idle', missingCount: 0 } as const

t.test('without a library nothing is shared', async (t) => {
  t.strictSame(whyNoMovies([]), { type: 'nothing-shared' })
})

t.test('films are being read only while a scan runs', async (t) => {
  t.strictSame(whyNoMovies([idle, { state: 'scanning', missingCount: 3 }]), { type: 'scanning' })
  t.strictSame(whyNoMovies([idle]), { type: 'not-found' })
  t.strictSame(whyNoMovies([{ state: 'offline', missingCount: 0 }]), { type: 'not-found' })
})

t.test('missing films are counted over all libraries', async (t) => {
  const libraries = [idle, { state: 'offline', missingCount: 3 }, { state: 'idle', missingCount: 4 }] as const
  t.strictSame(whyNoMovies(libraries), { type: 'missing', count: 7 })
})

import t from 'tap'
import { createGathering, GATHER_MS, MOST_A_MINUTE, type Gathered } from '../../../web/data/gathering.ts'

/** A page on a manual clock. */
function page({ cost = 1 }: { readonly cost?: number } = {}) {
  let now = 0
  let tasks: { readonly at: number; readonly run: () => void }[] = []
  const refreshed: Gathered[] = []
  const state = { hidden: false, cost }
  const gathering = createGathering({
    now: () => now,
    after: (ms, run) => void tasks.push({ at: now + ms, run }),
    isHidden: () => state.hidden,
    costOf: () => state.cost,
    refresh: (gathered) => void refreshed.push(gathered),
    insteadOfMovies: [['movies']],
  })
  return {
    gathering,
    refreshed,
    state,
    pass(ms: number) {
      for (const end = now + ms; now < end; now += 100) {
        const due = tasks.filter(({ at }) => at <= now)
        tasks = tasks.filter(({ at }) => at > now)
        for (const { run } of due) run()
      }
    },
  }
}

t.test('what events make old at once is asked for once, and what follows two seconds later', async (t) => {
  const { gathering, refreshed, pass } = page()
  gathering.add({ keys: [['home'], ['facets']] })
  gathering.add({ keys: [['home']], byMarks: true })
  gathering.add({ keys: [], movie: 'a' })
  gathering.add({ keys: [], movie: 'a' })
  t.strictSame(refreshed, [])
  pass(500)
  t.strictSame(refreshed, [{ keys: [['home'], ['facets']], byMarks: true, movies: ['a'] }])
  gathering.add({ keys: [['home']] })
  pass(1000)
  gathering.add({ keys: [['facets']] })
  t.equal(refreshed.length, 1)
  pass(GATHER_MS)
  t.strictSame(refreshed.slice(1), [{ keys: [['home'], ['facets']], byMarks: false, movies: [] }])
  pass(60_000)
  t.equal(refreshed.length, 2)
})

t.test('an event that says nothing about what is kept asks for nothing', async (t) => {
  const { gathering, refreshed, pass } = page()
  gathering.add({ keys: [] })
  pass(10_000)
  t.strictSame(refreshed, [])
})

t.test('a minute of events never makes more than twenty requests', async (t) => {
  const { gathering, refreshed, pass } = page({ cost: 3 })
  for (let second = 0; second < 60; second++) {
    gathering.add({ keys: [['movies']] })
    pass(1000)
  }
  t.ok(refreshed.length * 3 <= MOST_A_MINUTE, `${refreshed.length} times three requests`)
  t.ok(refreshed.length >= 5)
  pass(70_000)
  t.ok(refreshed.length >= 7, 'what was put off is asked for later')
})

t.test('what alone costs more than a minute allows is asked for all the same, once nothing else was', async (t) => {
  const { gathering, refreshed, pass } = page({ cost: MOST_A_MINUTE + 5 })
  gathering.add({ keys: '*' })
  pass(3000)
  t.strictSame(refreshed, [{ keys: '*', byMarks: false, movies: [] }])
})

t.test('a hidden page asks for nothing until it is seen again', async (t) => {
  const { gathering, refreshed, pass, state } = page()
  state.hidden = true
  gathering.add({ keys: [['home']] })
  pass(10_000)
  t.strictSame(refreshed, [])
  state.hidden = false
  gathering.wake()
  pass(3000)
  t.equal(refreshed.length, 1)
})

t.test('more movies than one request can name are asked for with their lists', async (t) => {
  const { gathering, refreshed, pass } = page()
  for (let movie = 0; movie < 500; movie++) gathering.add({ keys: [], movie: String(movie) })
  pass(3000)
  t.strictSame(refreshed, [{ keys: [['movies']], byMarks: false, movies: [] }])
})

import t from 'tap'
import { grown, tableOf } from './verdict.ts'

const names = (...samples: Parameters<typeof grown>[0]) => grown(samples).map(({ name }) => name)

t.test('a figure that stays within 5 % of the first period has not grown', async (t) => {
  t.strictSame(names({ 'memory: RSS (MB)': 200 }, { 'memory: RSS (MB)': 210 }), [])
  t.strictSame(names({ 'memory: RSS (MB)': 200 }, { 'memory: RSS (MB)': 211 }), ['memory: RSS (MB)'])
})

t.test('only the first and the last period are compared', async (t) => {
  t.strictSame(names({ 'open: files': 40 }, { 'open: files': 90 }, { 'open: files': 40 }), [])
})

t.test('a handle of a kind that the first period did not have has leaked', async (t) => {
  t.strictSame(names({}, { 'handles: Timeout': 3 }), ['handles: Timeout'])
})

t.test('one or two handles more are no growth, but one ffmpeg or session at rest is', async (t) => {
  t.strictSame(names({ 'handles: Timeout': 4 }, { 'handles: Timeout': 6 }), [])
  t.strictSame(names({ 'children: ffmpeg': 0 }, { 'children: ffmpeg': 1 }), ['children: ffmpeg'])
  t.strictSame(names({ sessions: 0 }, { sessions: 1 }), ['sessions'])
})

t.test('a full cache stays as it is: one that takes more than its budget has grown', async (t) => {
  const cache = 'disk: cache (MB)'
  t.strictSame(names({ [cache]: 37.1, 'log: files in the cache': 400 }, { [cache]: 38.2, 'log: files in the cache': 900 }), [])
  t.strictSame(names({ [cache]: 37.1 }, { [cache]: 39.5 }), [cache])
})

t.test('the log grows by design, but not for each event', async (t) => {
  const perEvent = 'disk: log and views (bytes an event)'
  t.strictSame(names({ 'log: events': 100, [perEvent]: 900 }, { 'log: events': 900, [perEvent]: 945 }), [])
  t.strictSame(names({ [perEvent]: 900 }, { [perEvent]: 950 }), [perEvent])
})

t.test('a short run judges leaks alone', async (t) => {
  const [first, last] = [{ 'memory: heap (MB)': 50 }, { 'memory: heap (MB)': 90, 'open: sockets': 9 }]
  t.strictSame(
    grown([first, last], 'leaks').map(({ name }) => name),
    ['open: sockets'],
  )
})

t.test('the table has a line for each figure of any period', async (t) => {
  const table = tableOf([{ 'open: files': 40 }, { 'open: files': 50, 'open: pipes': 2 }])
  t.match(table, /open: files +40 +50 +1\.25$/m)
  t.match(table, /open: pipes +0 +2$/m)
})

import t from 'tap'
import type { Answer } from '../../../web/api/problems.ts'
import { reportSession, type Beat, type BeatAnswer, type Command, type Reading } from '../../../web/player/session.ts'

interface Sent {
  readonly id: string
  readonly body: Beat
  readonly keepalive: boolean
  readonly signal: AbortSignal | undefined
  answer(answer: Answer<BeatAnswer>): Promise<void>
}

const good = (more: Partial<BeatAnswer> = {}): Answer<BeatAnswer> => ({
  ok: true,
  etag: null,
  value: {
    sessionId: 's1',
    state: 'active',
    playState: 'playing',
    position: 0,
    expiresAt: '',
    streamToken: null,
    streamTokenExpiresAt: null,
    problem: null,
    commands: [],
    ...more,
  },
})
const bad = (status: number, retryAfterSeconds?: number): Answer<BeatAnswer> => ({
  ok: false,
  problem: { status, message: '', fields: {}, retryAfterSeconds },
})

/** A fake server and a manual clock. */
function fixture() {
  const sent: Sent[] = []
  const ended: (readonly [string, number | undefined])[] = []
  const happened: string[] = []
  const commands: Command[] = []
  const waiting = new Map<object, { readonly run: () => void; readonly ms: number }>()
  let reading: Reading = { position: 0, playState: 'playing', rate: 1 }
  const report = reportSession({
    requests: {
      beat: (id, body, { keepalive = false, signal }) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
          const answer = async (value: Answer<BeatAnswer>) => {
            resolve(value)
            await new Promise(setImmediate)
          }
          sent.push({ id, body, keepalive, signal, answer })
        }),
      end: (id, position) => void ended.push([id, position]),
    },
    timers: {
      set(run, ms) {
        const timer = {}
        waiting.set(timer, { run, ms })
        return timer
      },
      clear: (timer) => void waiting.delete(timer as object),
    },
    read: () => reading,
    onCommand: (command) => void commands.push(command),
    onAnswer: () => void happened.push('answer'),
    onLost: () => void happened.push('lost'),
    onRefused: ({ status }) => void happened.push(`refused ${status}`),
    onAway: (isAway) => void happened.push(isAway ? 'away' : 'back'),
  })
  return {
    report,
    sent,
    ended,
    happened,
    commands,
    waits: () => [...waiting.values()].map(({ ms }) => ms),
    tick: () => {
      const [entry] = waiting
      if (!entry) return
      waiting.delete(entry[0])
      entry[1].run()
    },
    stand: (position: number, playState: Reading['playState'] = 'playing') => {
      reading = { position, playState, rate: 1 }
    },
  }
}

t.test('nothing is sent before the picture moves, and opening and closing ends the session without a position', async (t) => {
  const { report, sent, ended } = fixture()
  report.follow('s1')
  report.report()
  t.equal(sent.length, 0)
  report.end()
  t.strictSame(ended, [['s1', undefined]])
})

t.test('the first heartbeat goes out when the picture moves, the next after ten seconds, each with a higher sequence', async (t) => {
  const { report, sent, waits, tick, stand } = fixture()
  report.follow('s1')
  stand(42)
  report.moved()
  report.moved()
  t.strictSame(
    sent.map(({ body }) => body),
    [{ position: 42, playState: 'playing', rate: 1, sequence: 1 }],
  )
  await sent[0]?.answer(good())
  t.strictSame(waits(), [10_000])
  tick()
  t.equal(sent[1]?.body.sequence, 2)
})

t.test('what changes while a heartbeat is under way is sent as soon as that is answered', async (t) => {
  const { report, sent, waits } = fixture()
  report.follow('s1')
  report.moved()
  report.report()
  report.report()
  t.equal(sent.length, 1)
  await sent[0]?.answer(good())
  t.strictSame(waits(), [0])
})

t.test('seeks in a row are one report', (t) => {
  const { report, sent, waits } = fixture()
  report.follow('s1')
  report.moved()
  void sent[0]?.answer(good())
  report.report(300)
  report.report(300)
  t.strictSame(waits(), [300])
  t.end()
})

t.test('each command is carried out once, and acknowledged at once, whether it comes with a heartbeat or live', async (t) => {
  const { report, sent, commands, waits, tick } = fixture()
  const pause: Command = { id: 'c1', command: 'pause', message: null }
  report.follow('s1')
  report.moved()
  await sent[0]?.answer(good({ commands: [pause] }))
  t.strictSame(waits(), [0])
  tick()
  t.equal(sent[1]?.body.lastCommandId, 'c1')
  await sent[1]?.answer(good({ commands: [pause] }))
  report.command({ id: 'c2', command: 'message', message: 'Dinner' })
  t.equal(sent[2]?.body.lastCommandId, 'c2')
  t.strictSame(
    commands.map(({ id }) => id),
    ['c1', 'c2'],
  )
})

t.test('an unresponsive server is retried, slower and slower, and the person is notified at the second failure', async (t) => {
  const { report, sent, waits, tick, happened } = fixture()
  report.follow('s1')
  report.moved()
  const waited: number[] = []
  for (let n = 0; n < 5; n += 1) {
    await sent[n]?.answer(bad(0))
    waited.push(...waits())
    tick()
  }
  t.strictSame(waited, [1000, 2000, 4000, 8000, 10_000])
  await sent[5]?.answer(good())
  t.strictSame(happened, ['away', 'back', 'answer'])
})

t.test('after too many requests it waits as long as the server says', async (t) => {
  const { report, sent, waits } = fixture()
  report.follow('s1')
  report.moved()
  await sent[0]?.answer(bad(429, 37))
  t.strictSame(waits(), [37_000])
})

t.test('a session that the server does not know is lost, and nothing is sent for it any more', async (t) => {
  const { report, sent, waits, happened, ended } = fixture()
  report.follow('s1')
  report.moved()
  await sent[0]?.answer(bad(404))
  t.strictSame(happened, ['lost'])
  report.report()
  report.end()
  t.strictSame([sent.length, waits(), ended], [1, [], []])
})

t.test('a session that has ended elsewhere is lost, too', async (t) => {
  const { report, sent, happened } = fixture()
  report.follow('s1')
  report.moved()
  await sent[0]?.answer(good({ state: 'ended' }))
  t.strictSame(happened, ['answer', 'lost'])
})

t.test('a person who may no longer play is notified, and the request is not retried', async (t) => {
  const { report, sent, happened, waits } = fixture()
  report.follow('s1')
  report.moved()
  await sent[0]?.answer(bad(401))
  t.strictSame([happened, waits()], [['refused 401'], []])
})

t.test('an answer to an older session changes nothing', async (t) => {
  const { report, sent, happened } = fixture()
  report.follow('s1')
  report.moved()
  report.follow('s2')
  await sent[0]?.answer(bad(404))
  t.strictSame(happened, [])
  report.moved()
  t.equal(sent[1]?.id, 's2')
})

t.test('the last report of a hidden page survives it, also while another one is under way', (t) => {
  const { report, sent, stand, ended } = fixture()
  report.follow('s1')
  report.moved()
  stand(7, 'paused')
  report.reportLast()
  t.strictSame([sent[1]?.keepalive, sent[1]?.body.position], [true, 7])
  report.end()
  t.strictSame(ended, [['s1', 7]])
  t.end()
})

t.test('the end of a session aborts the heartbeat on its way, which would arrive too late', async (t) => {
  const { report, sent, ended, happened } = fixture()
  report.follow('s1')
  report.moved()
  report.end()
  t.strictSame([sent[0]?.signal?.aborted, ended, happened], [true, [['s1', 0]], []])
  report.follow('s2')
  report.moved()
  await sent[1]?.answer(good())
  t.strictSame([sent[1]?.signal?.aborted, happened], [false, ['answer']])
})

import t from 'tap'
import { plainLine } from '../../../src/http/server/plain-log.ts'

const line = (members: object): string => `${JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', ...members })}\n`

t.test('a line of the log is plain words at a terminal', async (t) => {
  t.match(plainLine(line({ msg: 'Listening' })), /^\d\d:\d\d:\d\d Listening\n$/)
  const request = { requestId: 'r', method: 'GET', path: '/v1/movies', status: 200, ms: 3.2, userId: null, msg: 'request' }
  t.match(plainLine(line(request)), /^\d\d:\d\d:\d\d GET \/v1\/movies 200 3.2 ms\n$/)
})

t.test('a failure is reported with its kind and its reason, in one line', async (t) => {
  const failed = {
    level: 50,
    method: 'GET',
    path: '/x',
    status: 500,
    ms: 1,
    err: { type: 'TypeError', message: 'a\nb', stack: 'c' },
    aborted: true,
  }
  t.match(plainLine(line(failed)), /^\S+ error GET \/x 500 1 ms TypeError: a b aborted=true\n$/)
})

t.test('what is no JSON stays as it is, and no terminal acts upon what a path holds', async (t) => {
  t.equal(plainLine('words\n'), 'words\n')
  t.notMatch(plainLine(line({ method: 'GET', path: '/\u001b[2J\u202e', status: 404 })).trimEnd(), /[\p{Cc}\p{Cf}]/u)
})

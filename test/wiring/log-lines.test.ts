/** Lines of the log about the background: levels, form, and nothing secret. */
import t from 'tap'
import { currentRequest } from '../../src/concurrency/current-request.ts'
import { createReport, type ReportOptions } from '../../src/wiring/log-lines.ts'

function open(options: ReportOptions) {
  const lines: string[] = []
  return { lines, report: createReport({ ...options, write: (line) => lines.push(line) }) }
}

t.test('a line is JSON like those of requests, with its level and the request that caused it', async (t) => {
  const { lines, report } = open({ level: 'info', form: 'json' })
  report(new Error('The disk is full'))
  report('MongoDB is back.', 'info')
  currentRequest.within('req-1', () => report(new Error('A film is broken'), 'warn'))
  const [error, info, warning] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  t.match(error, { level: 50, msg: /^The disk is full \(.*log-lines.test.ts:\d+:\d+\)$/, requestId: undefined })
  t.match(info, { level: 30, msg: 'MongoDB is back.', pid: process.pid })
  t.match(warning, { level: 40, requestId: 'req-1' })
  t.type(info?.['time'], 'number')
})

t.test('MARQUEE_LOG_LEVEL leaves out what is below it', async (t) => {
  const written = (level: ReportOptions['level']) => {
    const { lines, report } = open({ level, form: 'text' })
    for (const each of ['debug', 'info', 'warn', 'error'] as const) report(each, each)
    return lines.map((line) => line.trim())
  }
  t.strictSame(written('trace'), ['debug', 'info', 'warn', 'error'])
  t.strictSame(written('info'), ['info', 'warn', 'error'])
  t.strictSame(written('warn'), ['warn', 'error'])
  t.strictSame(written('error'), ['error'])
  t.strictSame(written('fatal'), [])
  t.strictSame(written('silent'), [])
})

t.test('at a terminal it is plain words, and no line holds a token', async (t) => {
  const { lines, report } = open({ level: 'info', form: 'plain' })
  report(new Error('GET /x?token=secret failed'), 'warn')
  t.match(lines, [/^\d\d:\d\d:\d\d warning GET \/x\?token=\[redacted\] failed/])
})

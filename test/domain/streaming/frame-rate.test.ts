import t from 'tap'
import { frameRateOf } from '../../../src/domain/streaming/frame-rate.ts'
import { mediaFile, times, video } from '../../fixtures/media-descriptions.ts'

const of = (frameRateFraction: string | null, container = 'mp4') =>
  frameRateOf(mediaFile({ container }), video({ frameRateFraction }), times({ videoStartMs: 25 }))

t.test('averages that are a usual rate are that rate, exactly', async (t) => {
  for (const [average, rate] of [
    ['24000/1001', '24000/1001'],
    ['2997/100', '30000/1001'],
    ['19039000/634633', '30/1'],
    ['25/2', '25/2'],
  ] as const) {
    const cadence = of(average)
    t.equal(`${cadence?.numerator}/${cadence?.denominator}`, rate, average)
  }
})

t.test('films of variable rate have none', async (t) => {
  for (const average of ['2048063842/114968351', '2250/127', '0/0', '', null]) t.equal(of(average), null, `${average}`)
})

t.test('the start of counting is declared only for containers that round their times', async (t) => {
  t.strictSame(
    ['mp4', 'mpegts', 'matroska', 'webm'].map((container) => of('25/1', container)?.startMs),
    [null, null, 25, 25],
  )
})

import t from 'tap'
import { loudspeakers, channelLayoutOf } from '../../../src/domain/streaming/channel-layout.ts'

t.test('layouts are read as ffprobe names them', async (t) => {
  t.strictSame(channelLayoutOf({ channels: 6, channelLayout: '5.1(side)' }), { channels: 6, names: ['FL', 'FR', 'FC', 'LFE', 'SL', 'SR'] })
  t.strictSame(
    channelLayoutOf({ channels: 3, channelLayout: '3 channels (FL+FR+TFC)' }).names,
    ['FL', 'FR', 'TFC'],
    'those that are listed too',
  )
})

t.test('a layout that is not understood, or is not that of the channels, is none', async (t) => {
  for (const channelLayout of [null, 'unknown', 'ambisonic 1', '4 channels (FL+FR+XX+YY)', '5.1', '__proto__', 'constructor']) {
    t.strictSame(channelLayoutOf({ channels: 4, channelLayout }), { channels: 4, names: [] }, String(channelLayout))
  }
  t.strictSame(channelLayoutOf({ channels: 9_999, channelLayout: null }).channels, 64)
})

t.test('channels that nobody has named are taken in the usual order, and all are heard', async (t) => {
  t.strictSame(loudspeakers({ channels: 3, names: [] }), ['FL', 'FR', 'FC'])
  t.strictSame(loudspeakers({ channels: 6, names: [] }), ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'])
  t.strictSame(loudspeakers({ channels: 5, names: ['FL', 'FR', 'LFE', 'SL', 'SR'] })[2], 'LFE')
  t.strictSame(loudspeakers({ channels: 9, names: [] }), ['FL', 'FR', 'FL', 'FR', 'FL', 'FR', 'FL', 'FR', 'FL'])
})

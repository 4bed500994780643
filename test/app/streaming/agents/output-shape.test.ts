import t from 'tap'
import { OUTPUT } from '../../../../src/app/streaming/agents/output-shape.ts'
import { messageSchema } from '../../../../src/app/message-schema.ts'
import { channelLayoutOf } from '../../../../src/domain/streaming/channel-layout.ts'

const MADE = { type: 'encode-audio', channels: 2, bitrateBps: 160_000, sampleRate: 48_000 } as const
const mixedFrom = channelLayoutOf({ channels: 24, channelLayout: '22.2' })
const isOutput = messageSchema(OUTPUT)

t.test('what is to be made of sound travels with its channels and its gain', async (t) => {
  for (const output of [
    MADE,
    { ...MADE, mixedFrom },
    { ...MADE, gainDb: -7.2 },
    { ...MADE, mixedFrom: { channels: 9, names: [] }, gainDb: 20 },
  ]) {
    t.ok(isOutput(output), JSON.stringify(output))
  }
})

t.test('what would become another argument does not travel', async (t) => {
  for (const output of [
    { ...MADE, gainDb: 20.1 },
    { ...MADE, gainDb: '3' },
    { ...MADE, gainDb: NaN },
    { ...MADE, mixedFrom: { channels: 65, names: [] } },
    { ...MADE, mixedFrom: { channels: 1, names: ['FL|FR=FL'] } },
    { ...MADE, mixedFrom: { channels: 1, names: ['FL'], more: 1 } },
  ]) {
    t.notOk(isOutput(output), JSON.stringify(output))
  }
})

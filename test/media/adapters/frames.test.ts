import t from 'tap'
import { decodeFrame, encodeFrame, MAX_HEAD_BYTES } from '../../../src/adapters/nats/frames.ts'
import { isJobSpec } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { alignedGrid, copyGrid } from '../../../src/domain/streaming/segment-grid.ts'
import { MAX_BODY_BYTES } from '../../../src/ports/bus.ts'
import { JOB } from '../owner.ts'

const HOUR_MS = 3_600_000

t.test('the job of a film of sixteen hours with uneven segments fits into a message', async (t) => {
  const groupsMs = Array.from({ length: 8_000 }, (_, group) => (group * 7_200_001) / 1_000)
  const grid = alignedGrid(copyGrid(groupsMs, 16 * HOUR_MS))
  const { head } = decodeFrame(encodeFrame({ head: { ...JOB, grid } }))
  t.ok(isJobSpec(head))
  t.strictSame(head['grid'], grid)
})

t.test('head and body together are never more than what a server takes by default', async (t) => {
  const head = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
  const body = new Uint8Array(MAX_BODY_BYTES)
  t.ok(encodeFrame({ head: head(MAX_HEAD_BYTES), body }).byteLength < 1024 * 1024)
  t.throws(() => encodeFrame({ head: head(MAX_HEAD_BYTES + 1), body }), RangeError)
  t.ok(encodeFrame({ head: head(MAX_HEAD_BYTES + MAX_BODY_BYTES) }).byteLength < 1024 * 1024)
  t.throws(() => encodeFrame({ head: head(MAX_HEAD_BYTES + MAX_BODY_BYTES + 1) }), RangeError)
})

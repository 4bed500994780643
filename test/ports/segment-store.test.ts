import t from 'tap'
import { createDiskSegmentStore } from '../../src/adapters/filesystem/segment-store.ts'
import { createMemorySegmentStore } from '../../src/adapters/memory/segment-store.ts'
import { createSystemClock } from '../../src/adapters/node/clock.ts'
import { segmentStoreContract } from './segment-store-contract.ts'

t.test('in memory', (t) => segmentStoreContract(t, createMemorySegmentStore))

t.test('on disk', (t) =>
  segmentStoreContract(t, (t) =>
    createDiskSegmentStore({
      clock: createSystemClock(),
      folder: t.testdir({}),
      budgetBytes: 1e6,
      floorBytes: 0,
      onError: (cause) => t.fail(cause.message),
    }),
  ),
)

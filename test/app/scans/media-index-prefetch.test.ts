import t from 'tap'
import { createMediaIndexPrefetch } from '../../../src/app/scans/media-index-prefetch.ts'
import type { MediaIndex } from '../../../src/ports/media.ts'

const INDEX: MediaIndex = { zeroMs: 0, keyframesMs: [0], videoStartMs: 0, audioStartMs: null, videoEndMs: 1000 }
const film = (name: string) => ({ path: `/films/${name}.mkv`, fingerprint: name })

/** Media whose indexes are ready when the test says so. */
function slowMedia({ kept = [] }: { readonly kept?: readonly string[] } = {}) {
  const making: { readonly name: string; readonly end: () => void; readonly fail: () => void }[] = []
  const asked: string[] = []
  return {
    making,
    asked,
    names: () => making.map(({ name }) => name),
    media: {
      hasIndex: async (fingerprint: string) => {
        asked.push(fingerprint)
        return kept.includes(fingerprint)
      },
      index: (_path: string, fingerprint: string, signal: AbortSignal): Promise<MediaIndex> => {
        const { promise, resolve, reject } = Promise.withResolvers<MediaIndex>()
        signal.addEventListener('abort', () => reject(signal.reason))
        making.push({ name: fingerprint, end: () => resolve(INDEX), fail: () => reject(new Error('It is not a media file')) })
        return promise
      },
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('two at a time, in order, each once; one that fails does not hold up the others', async (t) => {
  const { media, making, names } = slowMedia()
  const ahead = createMediaIndexPrefetch({ media })
  for (const name of ['a', 'b', 'c', 'c', 'd']) ahead.want(film(name))
  await settled()
  t.strictSame(names(), ['a', 'b'])
  making[0]?.fail()
  await settled()
  t.strictSame(names(), ['a', 'b', 'c'])
  making[1]?.end()
  making[2]?.end()
  await settled()
  t.strictSame(names(), ['a', 'b', 'c', 'd'])
  ahead.want(film('a'))
  await settled()
  t.equal(making.length, 4, 'what failed is not tried again and again')
  making[3]?.end()
  await ahead.close()
})

t.test('nothing begins while a scan runs', async (t) => {
  const { media, making, names } = slowMedia()
  const ahead = createMediaIndexPrefetch({ media })
  const [release, another] = [ahead.hold(), ahead.hold()]
  ahead.want(film('a'))
  release()
  release()
  await settled()
  t.strictSame(names(), [])
  another()
  await settled()
  t.strictSame(names(), ['a'])
  making[0]?.end()
  await ahead.close()
})

t.test('a film that has its index is not read', async (t) => {
  const { media, names, asked } = slowMedia({ kept: ['a'] })
  const ahead = createMediaIndexPrefetch({ media })
  ahead.want(film('a'))
  await settled()
  ahead.want(film('a'))
  await settled()
  t.strictSame(asked, ['a'], 'and looked up once')
  t.strictSame(names(), [])
  await ahead.close()
})

t.test('it keeps so many in mind and no more', async (t) => {
  const { media, making, names } = slowMedia()
  const ahead = createMediaIndexPrefetch({ media, width: 1, most: 2 })
  const release = ahead.hold()
  for (const name of ['a', 'b', 'c']) ahead.want(film(name))
  release()
  for (let turn = 0; turn < 4; turn++) {
    await settled()
    making.at(-1)?.end()
  }
  t.strictSame(names(), ['a', 'b'])
  await ahead.close()
})

t.test('closing stops what runs and begins nothing more', async (t) => {
  const { media, names } = slowMedia()
  const ahead = createMediaIndexPrefetch({ media })
  for (const name of ['a', 'b', 'c']) ahead.want(film(name))
  await settled()
  await ahead.close()
  ahead.want(film('d'))
  await settled()
  t.strictSame(names(), ['a', 'b'])
})

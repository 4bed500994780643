import t from 'tap'
import { createMemoryLoudness } from '../../../src/adapters/memory/loudness.ts'
import { runLoudnessJob } from '../../../src/app/derived-media/loudness-job.ts'
import { mediaOf } from '../../fixtures/movie-facts.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

t.test('the sound of every film is measured once, after a scan and after a start', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  node.mediaFiles.put('/films/Silent (1927).mkv', { probe: mediaOf(90_000, { audio: [] }) })
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  const loudness = createMemoryLoudness()
  const { access, clock, readModels, readYourWrites, mediaFiles: media } = node
  const begin = () => {
    const keeping = new AbortController()
    const task = runLoudnessJob({ access, clock, readModels, readYourWrites, log: node.cluster.log, media, loudness }, keeping.signal)
    return async () => {
      keeping.abort(new Error('enough'))
      await task.catch((cause: unknown) => t.match(cause, { message: 'enough' }))
    }
  }
  const settled = async (count: number) => {
    for (let turn = 0; turn < 200 && loudness.measurements.length < count; turn++) await clock.advance(100)
    return loudness.measurements.length
  }
  const stop = begin()
  t.equal(await settled(1), 1, 'what was there at the start')
  node.mediaFiles.put('/films/Brazil (1985).mkv')
  t.match(await node.scan(libraryId), { state: 'completed' })
  t.equal(await settled(2), 2, 'what a scan has found')
  await stop()

  const again = begin()
  t.equal(await settled(3), 2, 'nothing is measured twice')
  await again()
})

const OTHER = 'b'.repeat(64)

t.test('what a film sounds like is never kept for another one that was in its place', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Alien (1979).mkv')
  await node.scan(await node.newLibrary('/films'))
  const loudness = createMemoryLoudness()
  const { access, clock, readModels, readYourWrites, mediaFiles: media } = node
  const asked = { count: 0 }
  const get: typeof readModels.files.get = async (id) => {
    const file = await readModels.files.get(id)
    return file && asked.count++ === 0 ? { ...file, fingerprint: OTHER } : file
  }
  const keeping = new AbortController()
  const replaced = { files: { ...readModels.files, get } }
  const task = runLoudnessJob(
    { access, clock, readModels: replaced, readYourWrites, log: node.cluster.log, media, loudness },
    keeping.signal,
  )
  for (let turn = 0; turn < 200 && loudness.measurements.length < 1; turn++) await clock.advance(100)
  await clock.advance(1_000)
  t.strictSame([asked.count, loudness.measurements], [1, [OTHER]])
  keeping.abort(new Error('enough'))
  await task.catch((cause: unknown) => t.match(cause, { message: 'enough' }))
})

import t from 'tap'
import { createMemoryTextTracks } from '../../../src/adapters/memory/text-tracks.ts'
import { runSubtitleJob } from '../../../src/app/derived-media/subtitle-job.ts'
import { mediaOf, subtitlesOf } from '../../fixtures/movie-facts.ts'
import { openNodeFixture } from '../../fixtures/node-fixture.ts'

const probe = mediaOf(90_000, { subtitles: [subtitlesOf('en')] })

t.test('the text of every film is read out of it once, after a scan and after a start, and never in the way of one', async (t) => {
  const node = await openNodeFixture(t)
  node.mediaFiles.put('/films/Alien (1979).mkv', { probe })
  node.mediaFiles.put('/films/Silent (1927).mkv', { probe: mediaOf(90_000) })
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  const texts = createMemoryTextTracks()
  const { access, readModels, readYourWrites, mediaFiles: media } = node
  const keeping = new AbortController()
  const task = runSubtitleJob({ access, readModels, readYourWrites, log: node.cluster.log, media, texts }, keeping.signal)
  const settled = async (reads: number) => {
    for (let turn = 0; turn < 200 && texts.reads.length < reads; turn++) await node.clock.advance(10)
    return texts.reads
  }
  t.strictSame(await settled(1), ['background'], 'what was there at the start')

  node.mediaFiles.put('/films/Brazil (1985).mkv', { probe })
  t.match(await node.scan(libraryId), { state: 'completed' })
  t.strictSame(await settled(2), ['background', 'background'], 'what a scan has found')
  await node.scan(libraryId)
  keeping.abort(new Error('enough'))
  await task.catch((cause: unknown) => t.match(cause, { message: 'enough' }))

  const again = new AbortController()
  const second = runSubtitleJob({ access, readModels, readYourWrites, log: node.cluster.log, media, texts }, again.signal)
  await settled(3)
  again.abort(new Error('enough'))
  await second.catch(() => undefined)
  t.equal(texts.reads.length, 2, 'nothing is read twice')
})

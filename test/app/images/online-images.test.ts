import sharp from 'sharp'
import { derivedId } from '../../../src/events/derived-id.ts'
import type { EventData } from '../../../src/events/catalogue.ts'
import { onlineImageId } from '../../../projections/views/images.ts'
import t, { type Test } from 'tap'
import type { Caller } from '../../../src/app/access/caller.ts'
import { isRefusal } from '../../../src/domain/refusal.ts'
import { OnlineAway, OnlineRefused } from '../../../src/ports/online-metadata.ts'
import { creditsOf } from '../../../projections/views/credits.ts'
import { jpeg } from '../../fixtures/images.ts'
import { createScriptedProvider, movieFactsOf } from '../scripted-provider.ts'
import { allowed, createCluster, openNodeFixture, ORIGIN, type NodeFixture } from '../../fixtures/node-fixture.ts'

const FOLDER = '/films/Alien (1979)'
const ALIEN = movieFactsOf('Alien', 1979, { cast: [{ name: 'Sigourney Weaver', character: 'Ripley', picture: '/ripley.jpg' }] })
/** Distinguished by their aspect ratios. */
const [online, person, still] = [await jpeg(300, 400), await jpeg(300, 450), await jpeg(300, 500)]

async function furnished(t: Test, beside: Readonly<Record<string, string>> = {}) {
  const provider = createScriptedProvider({ 348: ALIEN })
  provider.images.set('/poster348.jpg', online).set('/ripley.jpg', person)
  const stills = { still: async () => still }
  const node = await openNodeFixture(t, { online: provider, stills })
  node.mediaFiles.put(`${FOLDER}/Alien (1979).mkv`)
  for (const [name, content] of Object.entries(beside)) node.mediaFiles.put(`${FOLDER}/${name}`, { content })
  const libraryId = await node.newLibrary('/films')
  await node.scan(libraryId)
  await node.seen()
  const { id } = await node.movieNamed('Alien')
  await node.onlineFinder?.findSoon(id)
  await node.seen()
  return { node, provider, libraryId, movieId: id, stills }
}

const ASK = { width: 300, fit: 'contain', form: 'image/webp' } as const

/** Aspect ratio of the served image, `placeholder`, or the reason for a refusal. */
async function shown({ images }: NodeFixture, id: string | null | undefined, caller: Caller | null = null): Promise<string> {
  const image = await images.get(id ?? '', ASK, { caller, signal: () => AbortSignal.timeout(60_000) })
  if (isRefusal(image)) return image.refusal
  const { width, height } = await sharp(image.bytes).metadata()
  return image.isPlaceholder ? 'placeholder' : `${width}x${height}`
}

const posterOf = async (node: NodeFixture) => (await node.movieNamed('Alien')).card.poster

t.test('the provider’s poster is shown in place of a still, and one beside the film in place of both', async (t) => {
  const { node } = await furnished(t)
  t.equal(await shown(node, await posterOf(node)), '300x400')
  const { node: other } = await furnished(t, { 'poster.jpg': 'an image, later' })
  t.not(await posterOf(other), await posterOf(node))
  t.match(await other.readModels.images.get((await posterOf(other)) ?? ''), { source: 'file', path: `${FOLDER}/poster.jpg` })
})

t.test('a broken poster beside the film gives way to the provider’s, and without that to an image out of the film', async (t) => {
  const { node, provider } = await furnished(t, { 'poster.jpg': 'no image', 'fanart.jpg': 'no image' })
  t.equal(await shown(node, await posterOf(node)), '300x400')
  t.equal(await shown(node, (await node.movieNamed('Alien')).card.backdrop), 'placeholder', 'the film has no other backdrop')
  const { node: other, provider: poor } = await furnished(t, { 'poster.jpg': 'no image' })
  poor.images.clear()
  t.equal(await shown(other, await posterOf(other)), '300x500')
  t.strictSame(
    provider.asked.filter((ask) => ask.startsWith('image')),
    ['image /poster348.jpg'],
  )
})

t.test('while the provider is away a placeholder stands for its images, and what was made stays', async (t) => {
  const { node, provider } = await furnished(t)
  const poster = await posterOf(node)
  for (const error of [new OnlineAway('It does not answer'), new OnlineRefused('Not with this key')]) {
    provider.fail(error)
    t.equal(await shown(node, poster), 'placeholder')
  }
  provider.fail()
  provider.hang(true)
  const waiting = shown(node, poster)
  await node.clock.advance(10_000)
  t.equal(await waiting, 'placeholder', 'nor is anybody kept waiting')
  await node.clock.advance(50_000)
  provider.hang(false)
  t.equal(await shown(node, poster), '300x400', 'and is not remembered')
  provider.fail(new OnlineAway('It does not answer'))
  t.equal(await shown(node, poster), '300x400')
})

t.test('what the provider sends that is no image is asked for once', async (t) => {
  const { node, provider } = await furnished(t)
  provider.images.set('/poster348.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  const poster = await posterOf(node)
  t.equal(await shown(node, poster), '300x500', 'the film’s own is shown')
  await shown(node, poster)
  t.equal(provider.asked.filter((ask) => ask.startsWith('image')).length, 1)
})

t.test('an image that takes longer than people wait is there for who asks again', async (t) => {
  const { node, provider } = await furnished(t)
  const answer = provider.hold()
  const waiting = shown(node, await posterOf(node))
  await node.clock.advance(10_000)
  t.equal(await waiting, 'placeholder')
  const again = shown(node, await posterOf(node))
  await node.clock.advance(100)
  answer()
  t.equal(await again, '300x400')
  t.equal(provider.asked.filter((ask) => ask.startsWith('image')).length, 1)
})

t.test('without a key an image out of the film is shown, not a neutral one in place of a poster that cannot be fetched', async (t) => {
  const cluster = createCluster()
  const first = await openNodeFixture(t, { cluster, online: createScriptedProvider({ 348: ALIEN }) })
  first.mediaFiles.put(`${FOLDER}/Alien (1979).mkv`)
  await first.scan(await first.newLibrary('/films'))
  await first.seen()
  await first.onlineFinder?.findSoon((await first.movieNamed('Alien')).id)
  await first.seen()
  await first.stop()
  const second = await openNodeFixture(t, { cluster, stills: { still: async () => still } })
  await second.seen()
  t.equal(await shown(second, await posterOf(second)), '300x500')
  t.match(await second.movieNamed('Alien'), { match: { source: 'tmdb' } }, 'what it said stays')
})

t.test('images of people and films of a library that shows none to strangers are for those who see it', async (t) => {
  const { node, libraryId, movieId } = await furnished(t)
  const credits = await node.readModels.credits.get(movieId)
  const ids = [credits && creditsOf(credits).cast[0]?.image, await posterOf(node)]
  const admin = (await node.person({ role: 'admin' })).caller
  const ann = (await node.person({ libraryAccess: 'selected', libraryIds: [libraryId] })).caller
  const bob = (await node.person({ libraryAccess: 'selected', libraryIds: [] })).caller
  t.strictSame(await Promise.all(ids.map((id) => shown(node, id))), ['300x450', '300x400'], 'public at first')
  const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: false }
  allowed(await node.libraries.change(admin, libraryId, { settings }, ORIGIN))
  for (const id of ids) {
    t.equal(await shown(node, id), 'not-found')
    t.equal(await shown(node, id, bob), 'not-found')
    t.match(await shown(node, id, ann), /^300x4/)
  }
  const person = allowed(await node.catalogue.person(ann, credits ? (creditsOf(credits).cast[0]?.personId ?? '') : ''))
  t.match(person, { name: 'Sigourney Weaver', image: ids[0], movies: [{ roles: ['Ripley'] }] })
})

t.test('a person whom a library of strangers shows has another image id there', async (t) => {
  const { node, movieId } = await furnished(t)
  node.mediaFiles.put('/others/Alien (1979).mkv')
  const others = await node.newLibrary('/others')
  await node.scan(others)
  await node.seen()
  const ids: (string | null | undefined)[] = []
  for await (const movie of node.readModels.movies.walk({})) {
    await node.onlineFinder?.findSoon(movie.id)
    await node.seen()
    const credits = await node.readModels.credits.get(movie.id)
    ids.push(credits && creditsOf(credits).cast[0]?.image)
  }
  t.equal(new Set(ids).size, 2, `${movieId} and another`)
  const admin = (await node.person({ role: 'admin' })).caller
  const settings = { watchFiles: true, scanIntervalMinutes: 0, trickplay: true, publicImages: false }
  allowed(await node.libraries.change(admin, others, { settings }, ORIGIN))
  t.strictSame((await Promise.all(ids.map((id) => shown(node, id)))).toSorted(), ['300x450', 'not-found'])
})

t.test('ids of images cannot be worked out from what a stranger may know: libraries, paths and names at the provider', async (t) => {
  const { node, libraryId, movieId } = await furnished(t, { 'fanart.jpg': 'no image' })
  const { card } = await node.movieNamed('Alien')
  const event = (await node.events()).find(({ type }) => type === 'MovieArtworkChosen')?.data as EventData['MovieArtworkChosen'] | undefined
  const { path, imageId } = event?.artwork.backdrop ?? { path: '', imageId: null }
  const stamp = await node.mediaFiles.stamp(path)
  t.equal(card.backdrop, imageId)
  t.not(imageId, derivedId('image', `${libraryId}\0${path}\0${stamp?.sizeBytes}\0${stamp?.modifiedAtMs}`))
  t.not(card.poster, onlineImageId(movieId, '/poster348.jpg'))
  const credits = await node.movies.credits((await node.person()).caller, movieId)
  t.notMatch(JSON.stringify(credits), onlineImageId(libraryId, '/ripley.jpg'))
  t.equal(await shown(node, card.poster), '300x400', 'and they still name their images')
})

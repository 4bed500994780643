import t from 'tap'
import { createLocalBus } from '../../../../src/adapters/memory/bus.ts'
import { createTestClock } from '../../../../src/adapters/memory/clock.ts'
import { createRemoteRenditions } from '../../../../src/app/streaming/renditions/remote-rendition.ts'
import { partsSubject, renditionSubject } from '../../../../src/app/streaming/renditions/rendition-protocol.ts'
import { MAX_BODY_BYTES } from '../../../../src/ports/bus.ts'

const ID = 'film.v0'
const SIZE_BYTES = 2 * MAX_BODY_BYTES
const never = new AbortController().signal

/** Owners one after another, each with bytes of a different encoder. */
function openOwners() {
  const clock = createTestClock()
  const bus = createLocalBus({ clock })
  const borrower = createRemoteRenditions({ bus, node: 'here' })
  const pieceOf = (letter: string) => Buffer.alloc(MAX_BODY_BYTES, letter)
  return {
    clock,
    /** Its parts arrive once `mayGo` has settled. */
    own(letter: string, form: string | null, mayGo: Promise<void> = Promise.resolve()) {
      const parts = bus.respond(partsSubject(letter), async () => {
        await mayGo
        return { head: { type: 'part' }, body: pieceOf(letter) }
      })
      const head = { type: 'bytes', sizeBytes: SIZE_BYTES, node: letter, transfer: '0', codec: 'avc1.640028', form }
      const answers = bus.respond(renditionSubject(ID), async () => ({ head, body: pieceOf(letter) }))
      return { answers, parts }
    },
    async letters(name: string) {
      const said = await borrower.ask(ID, { type: 'get', ask: name, viewer: 'ann', segment: 3, withinMs: 8_000 }, never)
      return said.type === 'bytes' ? { form: said.form, letters: [...new Set(Buffer.from(said.bytes).toString())].join('') } : said
    },
  }
}

t.test('what a new owner made with another encoder is not mixed with what is still on its way from the old one', async (t) => {
  const owners = openOwners()
  const { promise, resolve } = Promise.withResolvers<void>()
  const old = owners.own('a', 'one', promise)
  const first = owners.letters('first')
  await owners.clock.settle()
  old.answers.close()
  owners.own('b', 'another')
  const second = owners.letters('second')
  await owners.clock.settle()
  resolve()
  t.strictSame(await Promise.all([first, second]), [
    { form: 'one', letters: 'a' },
    { form: 'another', letters: 'b' },
  ])
})

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLocalBus } from '../../../src/adapters/memory/bus.ts'
import { createSystemClock } from '../../../src/adapters/node/clock.ts'
import { jobAttachmentOf } from '../../../src/app/streaming/agents/job-attachment.ts'
import { isPieceRequest, subjects, type JobSpec } from '../../../src/app/streaming/agents/agent-protocol.ts'
import { MAX_BODY_BYTES } from '../../../src/ports/bus.ts'
import { openAttachment, sweepAttachments } from '../../../transcode-agent/job-attachments.ts'
import { setVariable } from '../../fixtures/environment.ts'
import { folderFor } from '../burnt-clips.ts'

const signal = AbortSignal.timeout(30_000)

/** A job whose owner provides those bytes, and an otherwise empty temporary folder. */
function jobWith(t: Test, contents: readonly Uint8Array[], sent = jobAttachmentOf(contents).bytes) {
  const folder = folderFor(t, 'marquee-parcels-test-')
  setVariable(t, 'TMPDIR', folder)
  const bus = createLocalBus({ clock: createSystemClock(), onError: (onError) => t.fail(String(onError)) })
  const attachment = jobAttachmentOf(contents)
  const ear = bus.respond(subjects.attachment('job'), async ({ head }) => {
    const at = isPieceRequest(head) ? head.at : Infinity
    return { head: {}, body: sent.subarray(at, at + MAX_BODY_BYTES) }
  })
  t.teardown(async () => {
    ear.close()
    await bus.close()
  })
  const spec = { jobId: 'job', attachment: { digest: attachment.digest, sizeBytes: attachment.bytes.byteLength } } as unknown as JobSpec
  return { folder, bus, spec }
}

t.test('a parcel of several pieces lies on disk under numbers while the job runs, and is gone behind it', async (t) => {
  const contents = [Buffer.from('text'), Buffer.alloc(MAX_BODY_BYTES + 5, 1), Buffer.alloc(0), Buffer.from([1, 2, 3])]
  const { folder, bus, spec } = jobWith(t, contents)
  const attachment = await openAttachment(bus, spec, signal)
  if (!attachment) return t.fail('nothing came')
  t.equal(readFileSync(attachment.first, 'utf8'), 'text')
  t.strictSame(readdirSync(attachment.others).toSorted(), ['0', '1', '2'])
  t.ok(contents[1]?.equals(readFileSync(join(attachment.others, '0'))))
  t.ok(attachment.first.startsWith(folder))
  await attachment.remove()
  t.strictSame(readdirSync(folder), [])
  return undefined
})

t.test('what is not what the owner meant is not used, and leaves nothing behind', async (t) => {
  const contents = [Buffer.from('text')]
  for (const sent of [Buffer.from('another thing'), jobAttachmentOf([Buffer.from('texT')]).bytes, Buffer.alloc(0)]) {
    const { folder, bus, spec } = jobWith(t, contents, sent)
    await t.rejects(openAttachment(bus, spec, signal), { message: 'The subtitle to burn in cannot be fetched' })
    t.strictSame(readdirSync(folder), [])
  }
})

t.test('a job without a parcel asks for none', async (t) => {
  const { bus, spec } = jobWith(t, [])
  const { attachment: _, ...bare } = spec
  t.equal(await openAttachment(bus, bare, signal), undefined)
})

t.test('a disk that cannot be written is an error of the job', async (t) => {
  const { folder, bus, spec } = jobWith(t, [Buffer.from('text')])
  process.env['TMPDIR'] = join(folder, 'missing')
  await t.rejects(openAttachment(bus, spec, signal), { code: 'ENOENT' })
  mkdirSync(join(folder, 'missing'))
  t.ok(existsSync((await openAttachment(bus, spec, signal))?.first ?? ''))
})

const HOUR_MS = 60 * 60_000

t.test('an agent that was killed leaves its parcels only until the next one starts', async (t) => {
  const { folder, bus, spec } = jobWith(t, [Buffer.from('text')])
  const alive = await openAttachment(bus, spec, signal)
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const old = [`marquee-parcel-${dead}-aaaaaa`, `marquee-parcel-${process.pid}-bbbbbb`]
  const others = [`marquee-parcel-${dead}-cccccc`, `marquee-parcel-${process.ppid}-dddddd`, 'marquee-parcel-x', 'films']
  for (const name of [...old, ...others]) mkdirSync(join(folder, name, 'others'), { recursive: true })
  for (const name of old) writeFileSync(join(folder, name, 'others', '0'), 'font')
  const before = new Date(Date.now() - 2 * HOUR_MS)
  for (const name of [...old, ...others.slice(1)]) utimesSync(join(folder, name), before, before)
  await sweepAttachments(Date.now())
  t.strictSame(
    readdirSync(folder)
      .filter((name) => !alive?.first.includes(name))
      .toSorted(),
    others.toSorted(),
  )
  t.ok(existsSync(alive?.first ?? ''), 'what is in use stays')
  process.env['TMPDIR'] = join(folder, 'missing')
  await t.resolves(sweepAttachments(Date.now()), 'a folder that is not there is no trouble')
})

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import type { ToneMapper } from '../../../src/vocabulary/tone-mapper.ts'
import { createFilterProbe, tryMapper, type Tried } from '../../../transcode-agent/filter-probe.ts'
import { createToneMappers } from '../../../transcode-agent/tone-mappers.ts'
import { programs } from '../../fixtures/media-files.ts'
import { openOwner, LARGE } from '../owner.ts'

const YES: Tried = { proved: 'yes', reason: '', found: { zscale: true } }
const NO: Tried = { proved: 'no', reason: 'No such filter', found: { zscale: false } }
const UNKNOWN: Tried = { proved: 'unknown', reason: 'It was stopped', found: undefined }
const PQ = { by: 'zscale', transfer: 'pq', primaries: 'bt2020', matrix: 'bt2020nc', isFullRange: false, peakNits: 1_000 } as const
const settle = () => new Promise((resolve) => setImmediate(resolve))

function open(answers: Partial<Record<ToneMapper, Tried[]>>, { triesAhead = true } = {}) {
  const clock = createTestClock()
  const tried: ToneMapper[] = []
  const problems: string[] = []
  let [changes, isIdle] = [0, true]
  const mappers = createToneMappers({
    clock,
    ffmpegPath: '/bin/ffmpeg',
    triesAhead,
    isIdle: () => isIdle,
    changed: () => void changes++,
    onError: (cause) => problems.push(String(cause)),
    attempt: async (_, mapper) => {
      tried.push(mapper)
      return answers[mapper]?.shift() ?? YES
    },
  })
  const later = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advance(1_000)
      await settle()
    }
  }
  return { mappers, tried, problems, later, changes: () => changes, busy: () => void (isIdle = false) }
}

t.test('the usual mapper is tried soon after the start, the other when there is nothing else to do, each once', async (t) => {
  const { mappers, tried, later } = open({})
  await settle()
  t.strictSame(tried, [])
  await later(1_000)
  t.strictSame(tried, ['zscale'])
  await later(10_000)
  t.strictSame(tried, ['zscale', 'libplacebo'])
  t.strictSame(mappers.believed(), ['zscale', 'libplacebo'])
  await mappers.close()
})

t.test('a machine at work tries nothing ahead, and what a job needs all the same', async (t) => {
  const { mappers, tried, later, busy } = open({})
  busy()
  await later(10_000)
  t.strictSame(tried, ['zscale'])
  t.strictSame(await mappers.capabilities('libplacebo'), { zscale: true })
  t.strictSame(await mappers.capabilities('zscale'), { zscale: true })
  t.strictSame(tried, ['zscale', 'libplacebo'])
  await mappers.close()
})

t.test('a trial that was stopped or starved is made again, and is no answer', async (t) => {
  const { mappers, tried, later, problems } = open({ zscale: [UNKNOWN, UNKNOWN] })
  await settle()
  t.strictSame(mappers.believed(), ['zscale', 'libplacebo'])
  await later(130_000)
  t.strictSame(tried.slice(0, 3), ['zscale', 'zscale', 'zscale'])
  t.strictSame(await mappers.capabilities('zscale'), { zscale: true })
  t.strictSame(problems, [])
  await mappers.close()
})

t.test('a job that needs one before has it tried, and it is not tried again', async (t) => {
  const { mappers, tried, later } = open({})
  t.strictSame(await mappers.capabilities('zscale'), { zscale: true })
  await later(2_000)
  t.strictSame(tried, ['zscale'])
  await mappers.close()
})

t.test('one that is closed at once tries nothing', async (t) => {
  const { mappers, tried, later } = open({})
  await mappers.close()
  await later(10_000)
  t.strictSame(tried, [])
})

t.test('a job that needs what just could not be tried tries it twice', async (t) => {
  const { mappers, tried } = open({ zscale: [UNKNOWN] }, { triesAhead: false })
  t.strictSame(await mappers.capabilities('zscale'), { zscale: true })
  t.strictSame(tried, ['zscale', 'zscale'])
  await mappers.close()
})

t.test('a machine without one reports that once', async (t) => {
  const { mappers, later, problems, changes } = open({ zscale: [NO], libplacebo: [NO] })
  await later(120_000)
  t.strictSame(mappers.believed(), [])
  t.equal(problems.length, 1)
  t.match(problems[0], /\(\/bin\/ffmpeg\) cannot tone-map, so HDR films that it encodes look pale: No such filter/)
  t.equal(await mappers.capabilities('zscale'), undefined)
  t.equal(changes(), 2)
  await mappers.close()
})

const folder = mkdtempSync(join(tmpdir(), 'marquee-mappers-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

/** A fake ffmpeg. */
function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

t.test('ffmpeg is seen to map grey to grey; what refuses, or makes something else, does not', async (t) => {
  const { ffmpeg } = await programs
  t.match(await tryMapper(ffmpeg, 'zscale'), { proved: 'yes', found: { zscale: true } })
  const refusing = program('refusing', 'echo "No such filter: \'zscale\'" >&2; exit 1')
  t.match(await tryMapper(refusing, 'zscale'), { proved: 'no', reason: "No such filter: 'zscale'" })
  t.match(await tryMapper(program('silent', 'exit 0'), 'zscale'), { proved: 'no', reason: 'It makes no frames' })
  const black = program('black', 'head -c 12288 /dev/zero')
  t.match(await tryMapper(black, 'zscale'), { proved: 'no', reason: 'It makes wrong colours' })
})

t.test('libplacebo is found in the form that this ffmpeg knows, where there is a device for it', async (t) => {
  const { ffmpeg } = await programs
  const { proved, found, reason } = await tryMapper(ffmpeg, 'libplacebo')
  t.not(proved, 'unknown')
  t.comment(proved, reason)
  if (proved === 'yes') t.type(found?.libplacebo?.hasContrastRecovery, 'boolean')
  const older = program('older', `case "$*" in *contrast_recovery*) exit 1;; esac; head -c 12288 /dev/zero | tr '\\0' '\\200'`)
  t.match(await tryMapper(older, 'libplacebo'), { proved: 'yes', found: { libplacebo: { hasContrastRecovery: false } } })
})

t.test('what was stopped is not known: not a no forever', async (t) => {
  const stop = AbortSignal.abort()
  t.match(await tryMapper(program('slow', 'sleep 60'), 'zscale', stop), { proved: 'unknown', found: undefined })
  t.match(await tryMapper('/no/such/ffmpeg', 'zscale'), { proved: 'unknown' })
  const flag = join(folder, 'there')
  const ask = createFilterProbe(
    program('killed-once', `[ -e ${flag} ] || { touch ${flag}; kill -9 $$; }; head -c 12288 /dev/zero | tr '\\0' '\\200'`),
  )
  t.strictSame(await ask('zscale'), { zscale: false })
  t.strictSame(await ask('zscale'), { zscale: true }, 'asked again')
  rmSync(flag)
  t.strictSame(await ask('zscale'), { zscale: true }, 'and no more')
})

t.test('an agent says in its hello what it has, and refuses what it was seen to lack', async (t) => {
  const ffmpegPath = program('poor', 'echo "No such filter" >&2; exit 1')
  const owner = await openOwner({ ffmpegPath, prove: async () => ({ type: 'undecided', why: 'Not now' }) })
  await owner.until(() => owner.hellos.at(-1)?.toneMaps?.includes('zscale') === false)
  t.equal(await owner.start({ ...LARGE, output: { ...LARGE.output, toneMap: PQ } }), 'refused')
  t.equal(await owner.start({ ...LARGE, jobId: 'job-2', output: { ...LARGE.output, toneMap: { ...PQ, by: 'none' } } }), 'accepted')
  await owner.close()
})

t.test('an agent that learns only with a job that it cannot leaves it to another one', async (t) => {
  const owner = await openOwner({ ffmpegPath: program('without', 'echo "No such filter" >&2; exit 1') })
  t.equal(await owner.start({ ...LARGE, output: { ...LARGE.output, toneMap: { ...PQ, by: 'libplacebo' } } }), 'accepted')
  await owner.until(() => owner.ended() !== undefined)
  t.match(owner.ended(), { outcome: 'left', reason: /cannot tone-map by libplacebo/ })
  t.strictSame(owner.hellos.at(-1)?.toneMaps, ['zscale'])
  await owner.close()
})

/** The CPU time of ffmpeg: of running and of ended programs, by their work. */
import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { hasProc } from '../../fixtures/processes.ts'
import { programs } from '../../fixtures/media-files.ts'
import { createCpuMeter, meterCpuTime, type ReadStat } from '../../../src/ffmpeg/cpu-time.ts'
import { startFfmpeg } from '../../../src/ffmpeg/process.ts'

/** `sumTicks`: of children that have ended. */
function createSystem() {
  const ticks = new Map<number, number>()
  let sumTicks = 50
  const stat: ReadStat = (pid) => {
    if (pid === 'self') return { ownTicks: 1_000, childTicks: sumTicks }
    const ownTicks = ticks.get(pid)
    return ownTicks === undefined ? undefined : { ownTicks, childTicks: 0 }
  }
  return {
    meter: createCpuMeter(stat),
    use: (pid: number, used: number) => void ticks.set(pid, used),
    reap: (pid: number, lastTicks: number) => {
      ticks.delete(pid)
      sumTicks += lastTicks
    },
  }
}

const createChild = (pid: number) => Object.assign(new EventEmitter(), { pid }) as ChildProcess

t.test('time since the last read is counted when a program ends, and what other children used is not', async (t) => {
  const { meter, use, reap } = createSystem()
  const [encode, image] = [createChild(1), createChild(2)]
  meter.add(encode, 'encode')
  meter.add(image, 'other')
  use(1, 100)
  use(2, 900)
  t.strictSame(Object.fromEntries(meter.read()), { probe: 0, read: 0, encode: 1 })
  reap(2, 1_000)
  image.emit('exit')
  await nextTurn()
  reap(1, 130)
  t.equal(meter.read().get('encode'), 1, 'it does not fall while its end is not known yet')
  encode.emit('exit')
  t.equal(meter.read().get('encode'), 1)
  await nextTurn()
  t.strictSame(Object.fromEntries(meter.read()), { probe: 0, read: 0, encode: 1.3 })
})

t.test('programs that end together share what no read has seen, and no work loses time', async (t) => {
  const { meter, use, reap } = createSystem()
  const [encode, probe] = [createChild(1), createChild(2)]
  meter.add(encode, 'encode')
  meter.add(probe, 'probe')
  use(1, 500)
  use(2, 30)
  meter.read()
  reap(1, 510)
  reap(2, 40)
  encode.emit('exit')
  probe.emit('exit')
  await nextTurn()
  t.strictSame(Object.fromEntries(meter.read()), { probe: 0.4, read: 0, encode: 5.1 })
})

t.test('a system that does not report CPU time has no values', async (t) => {
  const meter = createCpuMeter(() => undefined)
  t.equal(meter.read().size, 0)
})

for (const guard of ['setpriv', 'watchdog'] as const)
  t.test(`the counter agrees with what ffmpeg says that it used (${guard})`, { skip: !hasProc }, async (t) => {
    const { ffmpeg } = await programs
    const read = meterCpuTime()
    const before = read().get('encode') ?? Number.NaN
    const film = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:duration=8', '-c:v', 'libx264', '-f', 'null', '-']
    const running = startFfmpeg(ffmpeg, ['-benchmark', '-nostdin', ...film], { work: 'encode', guard })
    let [seen, rises, falls] = [before, 0, 0]
    const looking = setInterval(() => {
      const now = read().get('encode') ?? Number.NaN
      if (now > seen) rises += 1
      if (now < seen) falls += 1
      seen = now
    }, 50)
    const { errors } = await running.exited
    clearInterval(looking)
    await nextTurn()
    const [, user = '', system = ''] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(errors) ?? []
    const used = Number(user) + Number(system)
    const counted = (read().get('encode') ?? Number.NaN) - before
    t.ok(used > 0.5, `ffmpeg used ${used} s`)
    // Before its benchmark begins and after it ends, ffmpeg loads and unloads libraries.
    t.ok(counted >= used - 0.05 && counted < used * 1.1 + 0.3, `${counted} s were counted, ffmpeg reports ${used} s`)
    t.ok(rises >= 3, 'it rises while ffmpeg runs')
    t.equal(falls, 0)
    t.equal(read().get('probe'), 0)
  })

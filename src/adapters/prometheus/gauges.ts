/** Metrics that are read whenever somebody asks for them: of each program those that it has. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Gauges } from '../../ports/meters.ts'

type Values = ReadonlyMap<string, number>

export function addGauges(gauges: Partial<Gauges>, registers: Registry[]): void {
  const { lag, sessions, servers, isReady, ffmpegCpu, slots, backup } = gauges
  const one = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name: `marquee_${name}`,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  /** One value for each of a few names. */
  const several = (name: string, help: string, label: string, read: () => Values | Promise<Values>) =>
    new Gauge({
      name: `marquee_${name}`,
      help,
      labelNames: [label],
      registers,
      async collect() {
        const values = await read()
        this.reset()
        for (const [key, value] of values) this.set({ [label]: key }, value)
      },
    })
  if (lag) several('projection_lag_positions', 'Positions of the log that a view has not seen yet.', 'view', lag)
  if (sessions) several('playback_sessions', 'Playback sessions that are not over.', 'method', sessions)
  if (servers) several('server_up', 'Whether a server that Marquee works with answers.', 'server', async () => asNumbers(await servers()))
  if (isReady) one('ready', 'Whether requests can be answered, as at /readyz.', async () => ((await isReady()) ? 1 : 0))
  if (ffmpegCpu) addFfmpegCpu(ffmpegCpu, registers)
  if (slots) {
    one('agent_slots', 'Weighted slots of the transcode agent in this process.', () => slots().all)
    one('agent_slots_used', 'Slots that jobs take: a 1080p transcode two, a 720p one, a copy a tenth.', () => slots().used)
  }
  if (!backup) return
  const time = 'backup_last_success_timestamp_seconds'
  one(time, 'When the last backup that succeeded began; 0: none is known.', () => (backup().lastSuccessAt ?? 0) / 1_000)
  one('backup_failed', 'Whether the last try of a backup failed.', () => (backup().lastFailure === null ? 0 : 1))
}

const asNumbers = (flags: ReadonlyMap<string, boolean>): Values => new Map([...flags].map(([name, is]) => [name, is ? 1 : 0]))

const addFfmpegCpu = (read: Gauges['ffmpegCpu'], registers: Registry[]) =>
  new Counter({
    name: 'marquee_ffmpeg_cpu_seconds_total',
    help: 'CPU time, user and system, of the ffmpeg and ffprobe that this process started. encode: segments, and tests of encoders.',
    labelNames: ['work'],
    registers,
    collect() {
      this.reset()
      for (const [work, seconds] of read()) this.inc({ work }, seconds)
    },
  })

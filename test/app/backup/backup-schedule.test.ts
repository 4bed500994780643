/** Backups by the clock, on a clock that a test moves. */
import t from 'tap'
import { createTestClock } from '../../../src/adapters/memory/clock.ts'
import { backupWarning, runBackupSchedule } from '../../../src/app/backup/backup-schedule.ts'
import type { Backups, BackupStatus, BackupSummary } from '../../../src/app/backup/backups.ts'
import type { Report } from '../../../src/ports/report.ts'
import { refuse } from '../../../src/domain/refusal.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Backups that are made at once, fail as long as told, and remember when. */
function standIn(clock: { now(): number }, first: Partial<BackupStatus> = {}) {
  const made: number[] = []
  const state = { fails: undefined as 'refused' | 'thrown' | undefined, replaced: 0, isInDataFolder: false }
  let status: BackupStatus = { lastSuccessAt: null, lastEvents: null, lastFailure: null, ...first }
  const backups: Backups = {
    async run({ keep }) {
      made.push(clock.now())
      if (state.fails === 'thrown') {
        status = { ...status, lastFailure: 'the disk is full' }
        throw new Error('the disk is full')
      }
      if (state.fails === 'refused') return refuse('conflict', 'another installation')
      status = { lastSuccessAt: clock.now(), lastEvents: 1, lastFailure: null }
      return {
        id: '',
        events: 1,
        checkpoint: '',
        files: 1,
        bytes: 1,
        reused: 0,
        replaced: state.replaced,
        removed: keep ?? 0,
        pruneProblem: null,
        isInDataFolder: state.isInDataFolder,
      } satisfies BackupSummary
    },
    look: async () => {},
    status: () => status,
  }
  return { backups, made, state }
}

function start(first: Partial<BackupStatus> = {}) {
  const clock = createTestClock()
  const faults: string[] = []
  const given = standIn(clock, first)
  const stop = new AbortController()
  const infos: string[] = []
  const onError: Report = (cause, level = 'error') => void (level === 'info' ? infos : faults).push(`${level}: ${String(cause)}`)
  const options = { clock, backups: given.backups, path: '/backups', keep: 3, everyMs: DAY_MS, onError }
  const ended = runBackupSchedule(options, stop.signal)
  const close = async () => {
    stop.abort(new Error('over'))
    await ended.catch(() => undefined)
  }
  return { ...given, clock, faults, infos, options, close }
}

t.test('the first backup is made at once, and the next ones a day after the last', async (t) => {
  const { clock, made, close } = start()
  await clock.advance(0)
  const begin = clock.now()
  for (let hour = 0; hour < 50; hour++) await clock.advance(HOUR_MS)
  t.strictSame(
    made.map((at) => Math.round((at - begin) / HOUR_MS)),
    [0, 24, 48],
  )
  await close()
})

for (const fails of ['refused', 'thrown'] as const) {
  t.test(`a backup that was ${fails} is reported and tried again within ten minutes`, async (t) => {
    const { clock, made, state, faults, infos, close } = start()
    state.fails = fails
    await clock.advance(0)
    t.equal(made.length, 1)
    state.fails = undefined
    await clock.advance(HOUR_MS / 6)
    t.equal(made.length, 2)
    t.match(faults, [/^error: .*No backup could be made in \/backups \(MARQUEE_BACKUP_DIR\): (the disk is full|another installation)/])
    await clock.advance(HOUR_MS)
    t.equal(made.length, 2, 'then the next day')
    t.match(infos, [/^info: .*A backup is made in \/backups/])
    t.equal(faults.length, 1)
    await close()
  })
}

t.test('a backup that goes on failing for one reason is one error of the log', async (t) => {
  const { clock, made, state, faults, close } = start()
  state.fails = 'thrown'
  await clock.advance(HOUR_MS)
  t.ok(made.length > 5)
  t.equal(faults.length, 1)
  state.fails = 'refused'
  await clock.advance(HOUR_MS / 2)
  t.match(faults, [/^error: .*the disk is full/, /^error: .*another installation/])
  t.equal(faults.length, 2)
  await close()
})

t.test('a backup that replaced damaged files is a warning beside its success, each time', async (t) => {
  const { clock, state, faults, infos, close } = start()
  state.replaced = 2
  for (let hour = 0; hour <= 24; hour++) await clock.advance(HOUR_MS)
  const warning = /^warn: .*Damaged files in \/backups \(MARQUEE_BACKUP_DIR\) were written again: 2\. Check the disk$/
  t.match(faults, [warning, warning])
  t.equal(infos.length, 2)
  await close()
})

t.test('backups into the data folder are a warning, each time', async (t) => {
  const { clock, state, faults, close } = start()
  state.isInDataFolder = true
  await clock.advance(0)
  t.match(faults, [/^warn: .*\/backups \(MARQUEE_BACKUP_DIR\) is in the data folder, so its backups are lost together with it/])
  await close()
})

t.test('one that another node has made counts', async (t) => {
  const clock = createTestClock()
  const { made, close } = start({ lastSuccessAt: clock.now() - DAY_MS / 2 })
  await clock.advance(0)
  t.equal(made.length, 0)
  await close()
})

t.test('a failure, and a backup that is twice as old as it should be, are warnings without a path', async (t) => {
  const clock = createTestClock()
  const warningOf = (status: Partial<BackupStatus>) => {
    const { backups } = standIn(clock, status)
    return backupWarning({ clock, backups, everyMs: DAY_MS })
  }
  t.equal(warningOf({}), undefined)
  t.equal(warningOf({ lastSuccessAt: clock.now() - DAY_MS }), undefined)
  t.equal(warningOf({ lastSuccessAt: clock.now() - 3 * DAY_MS }), 'The last backup is older than it should be')
  t.equal(warningOf({ lastFailure: '/backups is full' }), 'The last backup failed')
})

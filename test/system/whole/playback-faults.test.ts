/**
 * Kills or suspends parts of a larger site in the middle of films: every player continues by itself, and nothing is left over.
 * `MARQUEE_TEST_FAULTS=all` uses every part and every player, for some minutes; any other text selects the faults of that name. Prints each
 * player's observations.
 */
import t, { type Test } from 'tap'
import { columns } from '../../../src/process/columns.ts'
import type { Program } from '../cluster/program.ts'
import { startClusterServers, type ClusterServers } from '../cluster/servers.ts'
import { findChromium } from '../../fixtures/browsers.ts'
import { openBrowserPlayers } from '../players/browser.ts'
import { openFfmpeg, openHls, openMpv, patientFfmpeg } from '../players/live.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { hasProc } from '../../fixtures/processes.ts'
import { ffmpegsOf, leasesLeft } from './leftovers.ts'
import { runPlaybackFault, type Outcome, type PlaybackFault, type Seen } from './playback-faults.ts'
import { openPlayersFixture, type OpenPlayer, type PlayersFixture } from './players-fixture.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const ASKED = process.env['MARQUEE_TEST_FAULTS'] ?? ''
const ALL = ASKED !== ''
const TIMES = ALL ? { beforeMs: 10_000, awayMs: 8_000, afterMs: 15_000 } : { beforeMs: 3_000, awayMs: 3_000, afterMs: 7_000 }

/** A part that can be taken down, chosen at run time. */
interface Part {
  readonly name: string
  readonly of: (fixture: PlayersFixture) => Hold
}

interface Hold {
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void> | void
  readonly stop: () => void
  readonly cont: () => void
}

const holdOf = (programs: readonly Program[]): Hold => ({
  kill: async () => void (await Promise.all(programs.map((program) => program.kill()))),
  restart: () => programs.forEach((program) => program.restart()),
  stop: () => programs.forEach((program) => program.stop()),
  cont: () => programs.forEach((program) => program.cont()),
})

const nats = ({ servers: { nats: server } }: PlayersFixture): Hold => ({
  kill: () => server.kill(),
  restart: () => server.restart(),
  stop: () => server.signal('SIGSTOP'),
  cont: () => server.signal('SIGCONT'),
})

const PARTS: readonly Part[] = [
  { name: 'API node 1', of: ({ cluster }) => holdOf(cluster.apis.slice(0, 1)) },
  { name: 'API node 2', of: ({ cluster }) => holdOf(cluster.apis.slice(1)) },
  { name: 'busiest agent', of: ({ cluster }) => holdOf(busiest(cluster.agents)) },
  { name: 'projectors', of: ({ cluster }) => holdOf(cluster.projectors) },
  { name: 'NATS', of: nats },
]
const SHORT = new Set(['busiest agent: SIGKILL', 'API node 1: SIGKILL'])

const busiest = (agents: readonly Program[]): readonly Program[] =>
  agents.toSorted((a, b) => ffmpegsOf(b).length - ffmpegsOf(a).length).slice(0, 1)

/** A baseline: stalls caused by the busy machine alone. */
const NO_FAULT: PlaybackFault = { name: 'nothing', begin: async () => () => {} }
const FAULTS = [
  NO_FAULT,
  ...PARTS.flatMap(({ name, of }): readonly PlaybackFault[] => [
    {
      name: `${name}: SIGKILL`,
      async begin(fixture) {
        const { kill, restart } = of(fixture)
        await kill()
        return restart
      },
    },
    {
      name: `${name}: SIGSTOP`,
      async begin(fixture) {
        const { stop, cont } = of(fixture)
        stop()
        return cont
      },
    },
  ]),
].filter(({ name }) => (ALL ? ASKED === 'all' || name.includes(ASKED) : SHORT.has(name)))

t.setTimeout(ALL ? 1_200_000 : 240_000)

t.test('whatever is killed or held in the middle of a film, every player goes on, and nothing is left behind', async (t) => {
  if (!hasProc) return t.pass('NOT TESTED: processes are looked for in /proc', { skip: 'no /proc here' })
  if (FAULTS.length === 0) return t.pass(`no fault is called ${ASKED}`)
  const servers = await startClusterServers()
  if ('missing' in servers) return servers.missing.forEach((name) => tellMissing(t, name))
  t.teardown(() => servers.stop())
  const players = await openPlayers(t)
  const fixture = await open(t, servers, players.length)
  const idempotencyStore: Outcome[] = []
  t.teardown(() => console.error(tableOf(idempotencyStore)))
  for (const fault of FAULTS) {
    await t.test(fault.name, async (t) => {
      const outcome = await runPlaybackFault(fault, fixture, { players, times: TIMES })
      idempotencyStore.push(outcome)
      judge(t, outcome)
    })
    await fixture.cluster.ready()
  }
  if (ALL) t.equal(await leasesLeft(fixture), 0, 'no node keeps a session that has ended')
  return undefined
})

async function openPlayers(t: Test): Promise<readonly OpenPlayer[]> {
  const ffmpeg = await patientFfmpeg()
  const [mpv, browser] = [findProgram('mpv'), findChromium()]
  const cinema = browser === undefined ? undefined : await openBrowserPlayers(browser)
  t.teardown(() => cinema?.close())
  if (!cinema) tellMissing(t, 'chromium')
  if (ALL && mpv === undefined) tellMissing(t, 'mpv')
  return [
    (film) => openFfmpeg(ffmpeg, film),
    ...(ALL && mpv !== undefined ? ([(film) => openMpv(mpv, film)] satisfies OpenPlayer[]) : []),
    ...(cinema ? ([(film) => openHls(cinema, film)] satisfies OpenPlayer[]) : []),
  ]
}

async function open(t: Test, servers: ClusterServers, players: number): Promise<PlayersFixture> {
  const fixture = await openPlayersFixture({ servers, folder: testFolder(t), seats: FAULTS.length * players })
  t.teardown(() => fixture.close())
  return fixture
}

function judge(t: Test, { seen, orphans, left }: Outcome): void {
  for (const { player, goesOn } of seen) t.ok(goesOn, `${player} plays at the end`)
  t.equal(orphans, 0, 'no ffmpeg has lost its agent')
  t.strictSame(left, { ffmpegs: [], active: 0 }, 'nothing is left when all have gone')
}

const MOST_KINDS = 6
const HEAD = [
  'fault',
  'player',
  'start',
  'stall before',
  'stall',
  'longest',
  'left out',
  'goes on',
  'at',
  'of',
  'next segment',
  'slowest',
  'segments',
  'lost',
]

function tableOf(idempotencyStore: readonly Outcome[]): string {
  const rows = idempotencyStore.flatMap((outcome) =>
    outcome.seen.map((seen, n) => [n === 0 ? outcome.fault : '', ...cellsOf(seen), leftOf(outcome, n)]),
  )
  const complaints = idempotencyStore.flatMap(({ fault, seen }) =>
    seen.flatMap((one) => complaintsOf(one).map((text) => `${fault}: ${text}`)),
  )
  return [...columns([[...HEAD, 'not 2xx', 'errors', 'left behind'], ...rows]), ...complaints].join('\n')
}

/** Their kinds, without the details of single requests. */
function complaintsOf({ player, errors }: Seen): readonly string[] {
  const kinds = Map.groupBy(errors, (text) => text.replace(/https?:\S+/g, '<url>').replace(/0x[0-9a-f]+|\d+/g, 'n'))
  return [...kinds].slice(0, MOST_KINDS).map(([kind, { length }]) => `${player} said ${length} x ${kind.slice(0, 160)}`)
}

const seconds = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(1)} s` : 'never')

const cellsOf = (seen: Seen): readonly string[] => [
  seen.player,
  seconds(seen.startS),
  seconds(seen.stallBeforeS),
  seconds(seen.stallS),
  seconds(seen.longestStallS),
  seconds(seen.skippedS),
  seen.goesOn ? 'yes' : seen.ended ? 'ENDED' : 'NO',
  seconds(seen.positionS),
  seconds(seen.expectedS),
  seconds(seen.nextSegmentS),
  seconds(seen.slowestSegmentS),
  String(seen.segments),
  String(seen.lost),
  [...seen.refused].map(([kind, count]) => `${count} x ${kind}`).join(', ') || '-',
  String(seen.errors.length),
]

function leftOf({ orphans, orphansGoneMs, left }: Outcome, row: number): string {
  if (row > 0) return ''
  const ffmpegs = orphans > 0 ? `${orphans} orphans` : `no orphan after ${(orphansGoneMs / 1000).toFixed(1)} s`
  return [ffmpegs, ...left.ffmpegs, ...(left.active > 0 ? [`${left.active} active`] : [])].join(', ')
}

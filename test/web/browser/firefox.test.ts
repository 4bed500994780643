/** Runs tests that are written for Chromium again in Firefox: signing in, lists, going back, films of each kind, and axe on every page. */
import { join } from 'node:path'
import t from 'tap'
import { testCommand } from '../../repo/test-command.ts'
import { tellMissing } from '../../fixtures/programs.ts'
import { firefox } from './browser-fixture.ts'

/** Patterns for the names of tests, one for each level. */
const TESTS = {
  'sign-in': ['is asked to|wrong password|after signing out|policy of every page'],
  browse: ['from cold|each sort|each filter|copied into another browser'],
  'many-movies': ['going back'],
  player: ['the player', 'plays to its end|resumes where'],
  axe: ['axe'],
} as const

const FILE_MS = 600_000

t.setTimeout(FILE_MS * Object.keys(TESTS).length)
t.jobs = 1
if (firefox() !== undefined) {
  for (const [name, patterns] of Object.entries(TESTS)) {
    const file = join(import.meta.dirname, `${name}.test.ts`)
    void t.spawn('env', testCommand('alone.ts', file), {
      name: `${name}, in Firefox`,
      timeout: FILE_MS,
      env: {
        ...process.env,
        MARQUEE_TEST_BROWSER: 'firefox',
        TAP_GREP: patterns.map((pattern) => `/${pattern}/`).join('\n'),
        TAP_FILTER_QUIETLY: '1',
        TAP_TIMEOUT: `${FILE_MS / 1000}`,
      },
    })
  }
} else tellMissing(t, 'firefox', 'The web client is tested in it, too.')

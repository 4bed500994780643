/** Programs that tests need: where they are on the PATH, and whether one that is missing is a fault (`MARQUEE_TEST_REQUIRE`). */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Test } from 'tap'

/** The first of that name. */
export const findProgram = (name: string): string | undefined => findPrograms(name)[0]

/** All of that name, in the order of the PATH. */
export const findPrograms = (name: string): readonly string[] =>
  [...new Set((process.env['PATH'] ?? '').split(delimiter))].map((folder) => join(folder, name)).filter(isExecutable)

/** Whether tests that need it must not be skipped: it stands in `MARQUEE_TEST_REQUIRE`, a list with commas. */
export const isRequired = (name: string): boolean => (process.env['MARQUEE_TEST_REQUIRE'] ?? '').split(',').includes(name)

/** Says loudly that it was not found: as a failure where it is required, else as a skipped test. */
export function tellMissing(t: Test, name: string, instead = ''): void {
  if (isRequired(name)) t.fail(`${name} is required (MARQUEE_TEST_REQUIRE) and was not found. ${instead}`)
  else t.pass(`NOT TESTED: ${name} is not on this machine. ${instead}`, { skip: `no ${name} here` })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

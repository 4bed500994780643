/**
 * Runs test files in this process, one after the other, each as a subtest of its name. `MARQUEE_TEST_FILES` lists them, one a line: tap
 * names the folders of tests by the arguments of the program.
 *
 * Files add their tests to `t`, tap's root. While a file is loaded, the root's methods are those of the file's subtest.
 */
import './light-tap.ts'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'

// Imports of a file are found before any of them runs.
const { default: t } = await import('tap')

const METHODS = ['test', 'teardown', 'before', 'after', 'beforeEach', 'afterEach', 'setTimeout', 'comment', 'testdir'] as const

const runTest = t.test.bind(t)
for (const file of (process.env['MARQUEE_TEST_FILES'] ?? '').split('\n')) {
  await runTest(file, async (subtest) => {
    standIn(subtest)
    await import(pathToFileURL(file).href)
  })
}

function standIn(subtest: Test): void {
  for (const name of METHODS) Object.defineProperty(t, name, { value: subtest[name].bind(subtest), configurable: true, writable: true })
}

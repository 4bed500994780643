#!/usr/bin/env node
// Test reporter: failures as they come, a line for each file, and at the end the names of all failures and `N passed, N failed`.
import process from 'node:process'
import { Parser } from 'tap-parser'

const counts = { passed: 0, failed: 0, skipped: 0 }
const FAILURES_MAX = 200
const failures = []

/** Counts assertions where they stand; the line that closes a file or a subtest counts only when it fails by itself. */
function watch(parser, path) {
  let failedInChild
  parser.on('child', (child) => {
    const before = counts.failed
    watch(child, isOfFiles(child.name, path) ? [] : [...path, child.name])
    child.on('complete', () => (failedInChild = counts.failed - before))
  })
  parser.on('assert', (result) => {
    const closes = failedInChild
    failedInChild = undefined
    const name = [...path, ...fileOf(result, path), result.name].filter(Boolean).join(' > ')
    if (path.length === 0 && result.ok && !isOfFiles(result.name, path))
      console.log(`ok ${result.name} (${Math.round(result.time ?? 0)} ms)`)
    if (result.skip) skipped(name, result.skip)
    else if (result.ok) counts.passed += closes === undefined ? 1 : 0
    else if (!closes) failed(name, result.diag)
  })
  parser.on('bailout', (reason) => failed(`bail out: ${reason}`))
}

/** Several files ran in one process (run-files.ts), whose name is none of theirs. */
const isOfFiles = (name, path) => path.length === 0 && !/^\S+\.test\.ts$/.test(name)

/** Of a file that took too long, which tap names only in the details. */
const fileOf = ({ diag }, path) => (path.length === 0 && diag?.expired ? [diag.expired] : [])

function skipped(name, reason) {
  counts.skipped++
  console.log(`SKIPPED: ${name}${reason === true ? '' : ` (${reason})`}`)
}

function failed(name, detail) {
  counts.failed++
  if (failures.length < FAILURES_MAX) failures.push(name)
  console.log(`FAILED: ${name}`)
  if (detail) console.log(JSON.stringify(detail, null, 2))
}

const parser = new Parser()
watch(parser, [])
parser.on('complete', () => {
  // `run-tests.ts` reads these lines.
  if (failures.length > 0) console.log(['\nFailures:', ...failures.map((name) => `  ${name.replaceAll('\n', ' ')}`)].join('\n'))
  if (counts.failed > failures.length) console.log(`  and ${counts.failed - failures.length} more`)
  if (counts.skipped > 0) console.log(`\n${counts.skipped} skipped`)
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
})
process.stdin.pipe(parser)

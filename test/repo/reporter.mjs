#!/usr/bin/env node
// Test reporter: failures as they come, a line for each file, and at the end `N passed, N failed, N skipped`.
import process from 'node:process'
import { Parser } from 'tap-parser'

const counts = { passed: 0, failed: 0, skipped: 0 }

/** Counts assertions where they stand; the line that closes a file or a subtest counts only when it fails by itself. */
function watch(parser, path) {
  let failedInChild
  parser.on('child', (child) => {
    const before = counts.failed
    watch(child, [...path, child.name])
    child.on('complete', () => (failedInChild = counts.failed - before))
  })
  parser.on('assert', (result) => {
    const closes = failedInChild
    failedInChild = undefined
    const name = [...path, result.name].filter(Boolean).join(' > ')
    if (path.length === 0 && result.ok) console.log(`ok ${result.name} (${Math.round(result.time ?? 0)} ms)`)
    if (result.skip) skipped(name, result.skip)
    else if (result.ok) counts.passed += closes === undefined ? 1 : 0
    else if (!closes) failed(name, result.diag)
  })
  parser.on('bailout', (reason) => failed(`bail out: ${reason}`))
}

function skipped(name, reason) {
  counts.skipped++
  console.log(`SKIPPED: ${name}${reason === true ? '' : ` (${reason})`}`)
}

function failed(name, detail) {
  counts.failed++
  console.log(`FAILED: ${name}`)
  if (detail) console.log(JSON.stringify(detail, null, 2))
}

const parser = new Parser()
watch(parser, [])
parser.on('complete', () => {
  console.log(`\n${counts.passed} passed, ${counts.failed} failed${counts.skipped ? `, ${counts.skipped} skipped` : ''}`)
})
process.stdin.pipe(parser)

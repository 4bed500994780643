/** Runs a test file in this process: `alone.ts <file>`. For the file and for tap, it is the program that was started. */
import './light-tap.ts'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [program, , file = ''] = process.argv
process.argv = [program ?? '', resolve(file)]
await import(pathToFileURL(resolve(file)).href)

/** Reads the log with third-party software: Go's `sumdb/note` and `sumdb/tlog`, unchanged (monitor/main.go). */
import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'
import { signIn, startServer } from '../whole/server-process.ts'
import { testFolder } from '../../fixtures/test-folder.ts'

const run = promisify(execFile)
const go = findProgram('go')
/** More than two full tiles of 256. */
const EVENTS = 600
/** For fetching the module and compiling it, if nothing is cached yet. */
const BUILD_MS = 200_000

/** Undefined if Go or the module is not available. */
async function buildMonitor(folder: string): Promise<string | undefined> {
  if (!go) return undefined
  const [source, program] = [join(folder, 'source'), join(folder, 'monitor')]
  await cp(join(import.meta.dirname, 'monitor'), source, { recursive: true })
  const isThere = await run(go, ['mod', 'download'], { cwd: source, timeout: BUILD_MS / 2 }).then(
    () => true,
    () => false,
  )
  if (!isThere) return undefined
  await run(go, ['build', '-buildvcs=false', '-o', program], { cwd: source, timeout: BUILD_MS / 2 })
  return program
}

t.test("Go's own packages open the checkpoints, read the tiles and check the proofs", async (t) => {
  const folder = testFolder(t)
  const [dataDir, media] = [join(folder, 'data'), join(folder, 'media')]
  for (const path of [dataDir, media]) await mkdir(path)
  const monitor = await buildMonitor(folder)
  if (monitor === undefined) return tellMissing(t, 'sumdb', 'It takes Go and golang.org/x/mod, which `go mod download` fetches.')
  const server = await startServer({ dataDir, media })
  t.teardown(() => server.child.kill('SIGKILL'))
  const api = await signIn(server.url)
  const { json: library } = await api.send('POST', '/v1/libraries', { name: 'Films', paths: [media] })
  const checkpoint = async (): Promise<string> =>
    (await fetch(`${server.url}/v1/audit/checkpoint`, { headers: { authorization: `Bearer ${api.token}` } })).text()
  const rename = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) await api.send('PATCH', `/v1/libraries/${library['id']}`, { name: `Films ${n}` })
  }
  await rename(0, EVENTS / 3)
  const older = await checkpoint()
  await rename(EVENTS / 3, EVENTS)

  const found = JSON.parse((await run(monitor, [server.url, api.token, older])).stdout) as Record<string, number>
  const { size = 0 } = found
  t.ok(size > EVENTS, `${size} events`)
  t.match(found, { entries: size, proofs: Math.ceil(size / 7), older: Number(older.split('\n')[1]) })
  const forged = older.replace(/^\d+$/m, (digits) => String(Number(digits) + 1))
  await t.rejects(run(monitor, [server.url, api.token, forged]), /the checkpoint: .*(malformed|unverifiable|invalid)/)
})

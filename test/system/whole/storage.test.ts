import t, { type Test } from 'tap'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signIn, startServer, type Api } from './server-process.ts'

/** Changes the caller's name; returns the response as a client sees it. */
async function rename(url: string, api: Api, name: string) {
  const answer = await fetch(`${url}/v1/users/me`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

/** Polls until the wanted response comes. */
async function readyz(url: string, wanted: (text: string, status: number) => boolean): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`)
    if (wanted(await answer.text(), answer.status)) return
    await sleep(50)
  }
}

function shortFolder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

t.test('a data folder that is moved away under the running server: nothing is acknowledged, and readyz says why', async (t) => {
  const base = shortFolder(t)
  const dataDir = join(base, 'data')
  const server = await startServer({ dataDir: shortFolder(t), env: { MARQUEE_DATA_DIR: dataDir } })
  t.teardown(() => server.end('SIGKILL'))
  const api = await signIn(server.url)
  t.equal((await rename(server.url, api, 'Ann')).status, 200)
  renameSync(dataDir, `${dataDir}-away`)
  t.match(await rename(server.url, api, 'Bob'), { status: 503, retryAfter: /^\d+$/, text: /files of this server/ })
  await readyz(server.url, (text, status) => status === 503 && text.includes('deleted, moved or replaced'))

  const second = await startServer({ dataDir: shortFolder(t), env: { MARQUEE_DATA_DIR: dataDir } })
  t.match(await rename(server.url, api, 'Cid'), { status: 503 }, 'another server at the same path changes nothing')
  await second.end('SIGKILL')

  rmSync(dataDir, { recursive: true })
  renameSync(`${dataDir}-away`, dataDir)
  await readyz(server.url, (_, status) => status === 200)
  t.match(await rename(server.url, api, 'Dan'), { status: 200, text: /Dan/ })
  t.equal(server.output().split('was deleted, moved or replaced under this server').length, 2, 'said once')
})

t.test('a full disk: 503 with Retry-After, readyz says disk, and all goes on when there is room', async (t) => {
  const dataDir = shortFolder(t)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir]).status === 0
  if (!mounted) {
    console.error('SKIPPED: a full disk is tested as root only, who can mount a small one')
    return
  }
  t.teardown(() => execFileSync('umount', ['-l', dataDir]))
  const server = await startServer({ dataDir })
  t.teardown(() => server.end('SIGKILL'))
  const api = await signIn(server.url)
  const ballast = join(dataDir, 'ballast')
  const fill = () => {
    const { bavail, bsize } = statfsSync(dataDir)
    const file = openSync(ballast, 'a')
    // The server may write meanwhile, so that the disk is full before that.
    try {
      for (let n = 0; n < bavail; n++) writeSync(file, Buffer.alloc(bsize))
    } catch (cause) {
      t.match(cause, { code: 'ENOSPC' })
    }
    closeSync(file)
  }
  fill()
  let refused = await rename(server.url, api, 'x'.repeat(200))
  // The journal has some reserved space.
  for (let n = 0; refused.status === 200 && n < 2000; n++) refused = await rename(server.url, api, `${n}${'x'.repeat(190)}`)
  t.match(refused, { status: 503, retryAfter: /^\d+$/, text: /disk of this server is full/ })
  await readyz(server.url, (text, status) => status === 503 && text.includes('disk is full'))
  rmSync(ballast)
  await readyz(server.url, (_, status) => status === 200)
  t.match(await rename(server.url, api, 'Ann'), { status: 200, text: /Ann/ })
  t.equal(server.output().match(/"level":50.*"msg":"The disk (of \S+ )?is full/g)?.length, 1, 'said once')
})

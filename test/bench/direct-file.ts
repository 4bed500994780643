/** Measures a film that is sent as it is: one connection, the whole file, in turns with nginx. */
import { appendFile, copyFile, mkdir, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startNginx } from './nginx.ts'
import { treeCpuMs } from './process-cpu.ts'
import type { BenchFiles } from './streaming-files.ts'
import { openServer } from './streaming-server.ts'
import { median, type Report } from './table.ts'

const TITLE = 'Large'
const BYTES = 194_000_000
const PIECE = Buffer.alloc(1_000_000, 'marquee ')
const ROUNDS = 5
const GOAL = 0.9
const BUFFER_BYTES = 512 * 1024
const TIMEOUT_MS = 60_000

export async function measureDirectFile(report: Report, films: BenchFiles, folder: string): Promise<void> {
  const media = join(folder, 'large')
  await makeLargeFilm(films, join(media, TITLE))
  const server = await openServer({ dataDir: join(folder, 'large-data'), media })
  const what = `a film of ${BYTES / 1e6} MB as it is, one connection`
  try {
    const player = await server.play(TITLE)
    const nginx = await startNginx(join(folder, 'large-nginx'), media)
    if (!nginx) return report({ what, ours: 'not measured: nginx is not on the PATH' })
    const [ours, theirs, cpuMs] = [[] as number[], [] as number[], [] as number[]]
    for (let round = 0; round < ROUNDS; round++) {
      const before = treeCpuMs(server.pid)
      ours.push(await megabytesPerSecond(server.server.url + player.path('file'), server.token))
      cpuMs.push(treeCpuMs(server.pid) - before)
      theirs.push(await megabytesPerSecond(`${nginx.url}/${TITLE}/${TITLE}.mp4`, server.token))
    }
    await nginx.close()
    const ratio = median(ours) / median(theirs)
    report({
      what,
      ours: `${median(ours).toFixed(0)} MB/s (${median(cpuMs).toFixed(0)} ms of CPU)`,
      yardstick: `${median(theirs).toFixed(0)} MB/s (nginx)`,
      ratio,
      goal: `>= ${GOAL}x`,
      met: ratio >= GOAL,
    })
  } finally {
    await server.close()
  }
}

/** A small film with a box after it that players skip. */
async function makeLargeFilm(films: BenchFiles, folder: string): Promise<void> {
  const [title = ''] = films.titles
  const path = join(folder, `${TITLE}.mp4`)
  await mkdir(folder, { recursive: true })
  await copyFile(join(films.folder, title, `${title}.mp4`), path)
  const left = BYTES - (await stat(path)).size
  const head = Buffer.alloc(8)
  head.writeUInt32BE(left)
  head.write('free', 4)
  await appendFile(path, head)
  for (let written = head.length; written < left; written += PIECE.length) await appendFile(path, PIECE.subarray(0, left - written))
}

/** With a client that reads into one buffer, so that it does not hold the server up. @throws if the answer is no 200 of this length */
async function megabytesPerSecond(url: string, token: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let leftBytes = 0
  const onread = {
    buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    callback(size: number, bytes: Uint8Array) {
      if (leftBytes === 0) leftBytes = sizeOf(Buffer.from(bytes.buffer, bytes.byteOffset, size))
      leftBytes -= size
      if (Number.isNaN(leftBytes)) reject(new Error(`${url}: no 200 with ${BYTES} bytes`))
      if (leftBytes === 0) resolve()
      return true
    },
  }
  const startMs = performance.now()
  const socket = connect({ host: hostname, port: Number(port), timeout: TIMEOUT_MS, onread }, () =>
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`),
  )
  socket.once('error', reject).once('timeout', () => reject(new Error(`${url}: no answer`)))
  await promise.finally(() => socket.destroy())
  return BYTES / 1e3 / (performance.now() - startMs)
}

/** Size of the response with its headers, which arrive in one piece. */
function sizeOf(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, Math.max(0, end))
  return head.startsWith('HTTP/1.1 200 ') && RegExp(`^content-length: ${BYTES}$`, 'im').test(head) ? end + 4 + BYTES : Number.NaN
}

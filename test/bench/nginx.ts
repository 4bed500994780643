/** The yardstick of cached segments: nginx with sendfile over a folder, and wrk as the client of both. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { freePort } from '../fakes/server.ts'

export interface Nginx {
  readonly url: string
  close(): Promise<void>
}

const START_MS = 5_000
const WRK_SECONDS = 3

/** Undefined if nginx is not installed. */
export async function startNginx(folder: string, files: string): Promise<Nginx | undefined> {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const conf = join(folder, 'nginx.conf')
  writeFileSync(
    conf,
    `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
    events { worker_connections 256; }
    http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
      client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server { listen 127.0.0.1:${port}; root ${files}; } }`,
  )
  const child = spawn('nginx', ['-c', conf, '-e', join(folder, 'errors')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  return (await answers(child, url)) ? { url, close: () => stop(child) } : undefined
}

async function answers(child: ChildProcess, url: string): Promise<boolean> {
  const gone = new AbortController()
  child.once('error', () => gone.abort())
  for (let waitedMs = 0; waitedMs < START_MS && !gone.signal.aborted; waitedMs += 50) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer) return true
    await sleep(50)
  }
  return false
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Responses per second over eight connections; undefined if wrk is not installed. @throws if some are not a 200 */
export async function requestsPerSecond(url: string, token: string): Promise<number | undefined> {
  const args = ['-t1', '-c8', `-d${WRK_SECONDS}s`, '-H', `authorization: Bearer ${token}`, url]
  const { stdout, failed, code } = await execa('wrk', args, { reject: false, timeout: 60_000 })
  if (code === 'ENOENT') return undefined
  if (failed || /Non-2xx/.test(stdout)) throw new Error(`${url}: ${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

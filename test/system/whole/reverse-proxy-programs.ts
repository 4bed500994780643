/** Starts real reverse proxies with the configurations in docs/proxies/, of which only addresses, certificates and folders are replaced. */
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import type { Test } from 'tap'
import { spawnBound } from '../../fakes/bound-process.ts'
import { freePort } from '../../fakes/server.ts'
import { findProgram, tellMissing } from '../../fixtures/programs.ts'

const DOCS = join(import.meta.dirname, '../../../docs/proxies')

export interface Place {
  readonly folder: string
  readonly port: number
  /** For HTTP without TLS. */
  readonly plainPort: number
  /** Host and port of the server behind the proxy. */
  readonly server: string
  readonly certificate: string
  readonly key: string
}

export type Changes = readonly (readonly [from: RegExp, to: string])[]

export interface ProxyProgram {
  readonly name: string
  /** Writes the configuration, with further changes; returns the arguments. */
  configure(place: Place, changes: Changes): readonly string[]
}

export interface RunningProxy {
  readonly place: Place
  isRunning(this: void): boolean
  output(this: void): string
}

/** @throws Error the text is not in the configuration any more */
function replaced(text: string, changes: Changes): string {
  return changes.reduce((result, [from, to]) => {
    if (!from.test(result)) throw new Error(`${from} is not in the configuration`)
    return result.replace(from, () => to)
  }, text)
}

export const nginx: ProxyProgram = {
  name: 'nginx',
  configure({ folder, port, plainPort, server, certificate, key }, changes) {
    const site = replaced(readFileSync(join(DOCS, 'nginx.conf'), 'utf8'), [
      [/server 127\.0\.0\.1:8420;/, `server ${server};`],
      [/ {4}listen 80;\n {4}listen \[::\]:80;/, `listen 127.0.0.1:${plainPort};`],
      [/ {4}listen 443 ssl http2;\n {4}listen \[::\]:443 ssl http2;/, `listen 127.0.0.1:${port} ssl http2;`],
      [/ssl_certificate .*;/, `ssl_certificate ${certificate};`],
      [/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`],
      [/\/var\/log\/nginx\//g, `${folder}/`],
      ...changes,
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log ${folder}/default.log; ${temporary.join(' ')}\n${site}\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
  },
}

export const caddy: ProxyProgram = {
  name: 'caddy',
  configure({ folder, port, plainPort, server, certificate, key }, changes) {
    const site = replaced(readFileSync(join(DOCS, 'Caddyfile'), 'utf8'), [
      [/^media\.example\.org \{$/m, `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
      [/127\.0\.0\.1:8420/, server],
      [/^\{$/m, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}`],
      ...changes,
    ])
    writeFileSync(join(folder, 'Caddyfile'), site)
    return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
  },
}

export const traefik: ProxyProgram = {
  name: 'traefik',
  configure({ folder, port, plainPort, server, certificate, key }, changes) {
    const [main, site] = [join(folder, 'traefik.yaml'), join(folder, 'traefik-marquee.yaml')]
    // Both files in one text, so that changes need not say which they are for.
    const both = replaced([main, site].map((path) => readFileSync(join(DOCS, path.slice(folder.length)), 'utf8')).join(SEPARATOR), [
      [/':80'/, `127.0.0.1:${plainPort}`],
      [/to: websecure/, `to: ':${port}'`],
      [/':443'/, `127.0.0.1:${port}`],
      [/\/etc\/traefik\/marquee\.yaml(?=\ncert)/, site],
      [/certificatesResolvers:\n(?: .*\n)+/, ''],
      [/media\.example\.org(?=`)/, 'localhost'],
      [/tls:\n +certResolver: letsencrypt/, 'tls: {}'],
      [/127\.0\.0\.1:8420/, server],
      ...changes,
    ])
    const [mainText = '', siteText = ''] = both.split(SEPARATOR)
    writeFileSync(main, `${mainText}global: { checkNewVersion: false, sendAnonymousUsage: false }\n`)
    writeFileSync(site, `${siteText}tls: { certificates: [{ certFile: ${certificate}, keyFile: ${key} }] }\n`)
    return [`--configfile=${main}`]
  },
}

const SEPARATOR = '\n---\n'

export const PROXIES: readonly ProxyProgram[] = [nginx, caddy, traefik]

export interface ProxyOptions {
  /** Folder in which the proxy gets its own. */
  readonly root: string
  /** URL of the server behind it. */
  readonly serverUrl: string
  readonly changes?: Changes
}

/** Reports the proxy, or openssl, if it is missing: the test must end then. */
export function isMissing(t: Test, { name }: ProxyProgram): boolean {
  const missing = [name, 'openssl'].find((program) => findProgram(program) === undefined)
  if (missing !== undefined) tellMissing(t, missing)
  return missing !== undefined
}

/** It ends with the test. @throws Error it, or openssl, is missing */
export async function startProxy(t: Test, proxy: ProxyProgram, options: ProxyOptions): Promise<RunningProxy> {
  const [program, openssl] = [proxy.name, 'openssl'].map(findProgram)
  if (program === undefined || openssl === undefined) throw new Error(`${proxy.name} or openssl is missing`)
  const place = await placeFor(options, openssl)
  const args = proxy.configure(place, options.changes ?? [])
  const child = spawnBound(program, args, { cwd: place.folder, env: { PATH: process.env['PATH'], HOME: place.folder } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  t.teardown(() => (child.kill('SIGTERM'), ended))
  return { place, isRunning: () => child.exitCode === null, output: () => output }
}

async function placeFor({ root, serverUrl }: ProxyOptions, openssl: string): Promise<Place> {
  const folder = join(root, 'proxy')
  mkdirSync(folder)
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  await execa(openssl, [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ])
  return { folder, port: await freePort(), plainPort: await freePort(), server: new URL(serverUrl).host, certificate, key }
}

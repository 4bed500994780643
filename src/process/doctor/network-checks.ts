/**
 * Checks how clients reach the server: its port, its readiness, and the public URL through a reverse proxy. Also how a separate agent reaches
 * its server.
 */
import { createServer } from 'node:net'
import type { Config } from '../../config/config.ts'
import { urlAt } from '../reachable-addresses.ts'
import { startFailure } from '../start-failure.ts'
import { failed, ok, warning, type Finding } from './finding.ts'

const TIMEOUT_MS = 5_000

export async function checkNetwork(config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'trustedProxies'>): Promise<readonly Finding[]> {
  return [await checkPort(config), ...(await checkPublicUrl(config))]
}

/** The server that a separate agent fetches films from. */
export async function checkApiUrl({ apiUrl, roles }: Pick<Config, 'apiUrl' | 'roles'>): Promise<readonly Finding[]> {
  if (apiUrl === undefined || roles.includes('api') || !roles.includes('agent')) return []
  const answer = await ask(`${apiUrl}/readyz`)
  if (answer?.status === 'ready') return [ok('API address', `The server at ${apiUrl} is ready`)]
  if (answer?.error !== undefined)
    return [warning('API address', `The server at ${apiUrl} is not ready: ${answer.error}`, 'Wait, or read its log.')]
  const remedy = 'Start the server or correct MARQUEE_API_URL: the agent cannot fetch films that are not mounted here.'
  return [failed('API address', `No Marquee answers at ${apiUrl}`, remedy)]
}

async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  if (port === 0) return ok('port', 'The server takes a free one')
  const taken = await whyNotListening(host, port)
  if (taken === undefined) return ok('port', `${port} is free: no server is running`)
  const answer = await ask(`${urlAt(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port)}/readyz`)
  if (answer?.status === 'ready') {
    const { warnings = [] } = answer
    if (warnings.length === 0) return ok('port', `The server on port ${port} is ready`)
    return warning('port', `The server on port ${port} is ready, with warnings: ${warnings.join('; ')}`, 'Fix the cause of each warning.')
  }
  if (answer?.error !== undefined)
    return warning('port', `The server on port ${port} is not ready: ${answer.error}`, 'Wait, or read its log.')
  return failed('port', startFailure(taken, { host, port }), 'Or stop the other program.')
}

function whyNotListening(host: string, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

interface Readiness {
  readonly status?: string
  readonly warnings?: readonly string[]
  readonly error?: string
}

/** Undefined if no Marquee answers there. */
async function ask(url: string): Promise<Readiness | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    return (await answer.json()) as Readiness
  } catch {
    return undefined
  }
}

async function checkPublicUrl({ publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>): Promise<readonly Finding[]> {
  if (publicUrl === undefined) return []
  const answer = await ask(new URL('/readyz', publicUrl).href)
  const reached =
    answer?.status === 'ready'
      ? ok('public URL', `${publicUrl} leads to the server`)
      : warning(
          'public URL',
          `${publicUrl} does not lead to a ready server`,
          'Check the reverse proxy, its certificate, and MARQUEE_PUBLIC_URL.',
        )
  if (trustedProxies !== undefined) return [reached]
  const text = 'No proxy is trusted, so that all who come through one share its address'
  return [
    reached,
    warning('proxy headers', text, 'Name the proxy with MARQUEE_TRUSTED_PROXIES, if there is one: limits and the audit go by address.'),
  ]
}

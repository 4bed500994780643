/** Adds names to the `Vary` header, and keeps existing ones. */
import type { FastifyReply } from 'fastify'

export function vary(reply: FastifyReply, ...names: readonly string[]): void {
  const there = reply.getHeader('vary')
  const before = there === undefined ? [] : String(there).split(', ')
  reply.header('vary', (before.length > 0 ? [...new Set([...before, ...names])] : names).join(', '))
}

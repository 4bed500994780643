/** Adds names to the `Vary` header, keeping those that are there. */
import type { FastifyReply } from 'fastify'

export function vary(reply: FastifyReply, ...names: readonly string[]): void {
  const there = String(reply.getHeader('vary') ?? '')
  reply.header('vary', [...new Set([...there.split(', ').filter(Boolean), ...names])].join(', '))
}

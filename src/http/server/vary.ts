/** Adds names to the `Vary` header, and keeps existing ones. */
import type { FastifyReply } from 'fastify'

export function vary(reply: FastifyReply, ...names: readonly string[]): void {
  const there = reply.getHeader('vary')
  if (there === undefined) return void reply.header('vary', names.join(', '))
  const before = String(there).split(', ')
  const further = names.filter((name) => !before.includes(name))
  if (further.length > 0) reply.header('vary', [...before, ...further].join(', '))
}

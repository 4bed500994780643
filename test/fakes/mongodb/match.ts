/** Matches a document against a filter: only the operators that this project's adapters use. */
import type { Document } from 'mongodb'
import { failure } from './failures.ts'
import { candidatesAt, compare, typeOf } from './values.ts'

export function matches(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    if (path === '$and') return (condition as readonly Document[]).every((one) => matches(document, one))
    if (path.startsWith('$')) throw failure('BadValue', `unknown top level operator: ${path}`)
    const held = candidatesAt(document, path)
    return isOperators(condition) ? Object.entries(condition).every((operator) => meets(held, operator)) : isEqual(held, condition)
  })
}

const isOperators = (condition: unknown): condition is Document =>
  typeOf(condition) === 'object' && Object.keys(condition as Document).some((name) => name.startsWith('$'))

const isEqual = (held: readonly unknown[], value: unknown): boolean => held.some((one) => compare(one, value) === 0)

const RANGES: Readonly<Record<string, (order: number) => boolean>> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
}

function meets(held: readonly unknown[], [operator, value]: readonly [string, unknown]): boolean {
  const range = RANGES[operator]
  // Ranges compare only values of the same type.
  if (range) return held.some((one) => typeOf(one) === typeOf(value) && range(compare(one, value)))
  switch (operator) {
    case '$eq':
      return isEqual(held, value)
    case '$ne':
      return !isEqual(held, value)
    case '$in':
      return (value as readonly unknown[]).some((one) => isEqual(held, one))
    case '$exists':
      return held.some((one) => one !== undefined) === Boolean(value)
    case '$regex': {
      const pattern = new RegExp(String(value), 'u')
      return held.some((one) => typeof one === 'string' && pattern.test(one))
    }
    default:
      throw failure('BadValue', `unknown operator: ${operator}`)
  }
}

/**
 * Validation of requests. Bodies are taken as they are: nothing is converted. Query strings are text, so numbers and booleans are
 * read from it, but only in their plain form. All problems of a request are told at once, one for each path, up to a number that nobody
 * reads further than.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isFolderPath } from '../../domain/libraries/library.ts'
import { boundLists } from './bounded-lists.ts'
import { addFoldersKeyword } from './folders-keyword.ts'
import { invalid, type Problem } from './errors.ts'

/** Most problems told in one answer. */
const PROBLEMS_MAX = 20

/** Of a string that is the path of a folder. */
const FOLDER_FORMAT = 'folder-path'

interface PropertySchema {
  readonly type?: string
  readonly items?: PropertySchema
}

type Values = Readonly<Record<string, unknown>>

/** For `app.setValidatorCompiler`. Path parameters always pass: one that names nothing is 404, which the routes find out. */
export function createValidatorCompiler({ mediaRoots = [] }: { readonly mediaRoots?: readonly string[] } = {}): FastifySchemaCompiler<
  Record<string, unknown>
> {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes: false, strict: false, strictNumbers: true })
  // The package is CommonJS: its function is the member `default` of what Node imports.
  addFormats.default(ajv)
  ajv.addFormat(FOLDER_FORMAT, isFolderPath)
  addFoldersKeyword(ajv, mediaRoots)
  return ({ schema, httpPart }) => {
    if (httpPart === 'params') return () => true
    // Compiled with the first request that needs it: a start need not wait for all of them.
    let compiled: ValidateFunction | undefined
    const check = () => (compiled ??= ajv.compile(schema))
    if (httpPart !== 'querystring') return (body) => verdict(check(), boundLists(schema, body))
    const properties = propertiesOf(schema)
    return (query) => verdict(check(), readQuery(query, properties), { indices: false })
  }
}

function verdict(check: ValidateFunction, value: unknown, { indices = true } = {}) {
  if (check(value)) return { value }
  const problems = problemsOf(check.errors ?? [])
  // A query parameter that may be repeated is named without the number of its repetition.
  const named = indices ? problems : problems.map(({ path, message }) => ({ path: path.replace(/\.\d+$/, ''), message }))
  return { error: invalid(onePerPath(named)) }
}

/** Ajv's errors as problems. Of an alternative its first branch is told, and what the others say of the same value. */
function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.flatMap((error) => {
    // Ajv tells what stands within an alternative before the alternative itself: the last one is the outermost.
    const alternative = alternatives.findLast((one) => one === error || isWithin(error, one))
    if (!alternative) return [problemOf(error)]
    return alternative === error ? [problemOfAlternative(error, errors)] : []
  })
}

const isWithin = ({ schemaPath }: ErrorObject, alternative: ErrorObject): boolean => schemaPath.startsWith(`${alternative.schemaPath}/`)

function problemOfAlternative(alternative: ErrorObject, errors: readonly ErrorObject[]): Problem {
  const branchOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(alternative.schemaPath.length + 1).split('/')[0]
  const branches = Map.groupBy(
    errors.filter((error) => isWithin(error, alternative)),
    branchOf,
  )
  // A constant says more than the type that it has.
  const errorOf = (branch: readonly ErrorObject[]) => branch.find(({ keyword }) => keyword === 'const') ?? branch[0] ?? alternative
  const said = [...branches.values()].map((branch) => problemOf(errorOf(branch)))
  const { path, message } = said[0] ?? problemOf(alternative)
  const others = said.filter((problem) => problem.path === path).map((problem) => problem.message)
  return { path, message: [...new Set([message, ...others])].join(', or ') }
}

const problemOf = (error: ErrorObject): Problem => ({ path: pathOf(error), message: messageOf(error) })

function onePerPath(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.toReversed().map((problem) => [problem.path, problem])).values()].toReversed().slice(0, PROBLEMS_MAX)
}

/** `/paths/0` as `paths.0`; what is missing has the path of its own name. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  return [...parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')), ...missing].join('.')
}

function messageOf({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'const') return `must be ${String(params['allowedValue'])}`
  if (keyword === 'enum') return `must be one of ${[params['allowedValues']].flat().join(', ')}`
  if (keyword === 'format' && params['format'] === FOLDER_FORMAT) return 'must be the absolute path of a folder, without ".."'
  if (keyword === 'pattern' || keyword === 'format') return 'has the wrong form'
  return message ?? 'is not valid'
}

function propertiesOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, PropertySchema>> {
  const { properties } = schema
  return typeof properties === 'object' && properties !== null ? { ...properties } : {}
}

function readQuery(query: Values, properties: Readonly<Record<string, PropertySchema>>): Values {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, properties[name] ? readValue(value, properties[name]) : value]),
  )
}

/**
 * What does not fit the type stays text, which the validation then refuses. A position may have as many decimals as a browser's
 * `currentTime`.
 */
function readValue(value: unknown, { type, items }: PropertySchema): unknown {
  if (type === 'array') return [value].flat().map((item) => readValue(item, items ?? {}))
  if (typeof value !== 'string') return value
  if (type === 'integer') return /^(0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : value
  if (type === 'number') return /^-?(0|[1-9]\d{0,15})(\.\d{1,20})?$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : value)
  return value
}

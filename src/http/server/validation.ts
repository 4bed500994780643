/**
 * Validates requests. Bodies are never coerced. Query strings are text, so numbers and booleans are parsed from it, but only in their
 * canonical form. A response reports all problems of a request at once, one per path, up to a limit.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { isFolderPath } from '../../domain/libraries/library.ts'
import { isNameLength, NAME_MAX } from '../../domain/accounts/name-fault.ts'
import { isEmail, normalizeEmail } from '../../domain/accounts/user.ts'
import { boundLists } from './bounded-lists.ts'
import { addFoldersKeyword } from './folders-keyword.ts'
import { invalid, type Problem } from './errors.ts'
import { EMAIL_FORMAT, NAME_FORMAT, VISIBLE } from './values-schemas.ts'

/** Most problems in one response. */
const PROBLEMS_MAX = 20

/** Our own formats of strings, with what is said of a text in another. */
const FORMATS: Readonly<Record<string, { readonly fits: (text: string) => boolean; readonly message: string }>> = {
  'folder-path': { fits: isFolderPath, message: 'must be the absolute path of a folder, without ".."' },
  [NAME_FORMAT]: {
    fits: isNameLength,
    message: `must have 1 to ${NAME_MAX} characters, not only spaces, and none that hides or reverses text`,
  },
  [EMAIL_FORMAT]: { fits: (text) => isEmail(normalizeEmail(text)), message: 'must be an e-mail address of 3 to 254 characters' },
}

/** Of a time: UTC, or the distance from it. */
const ZONE = /(z|[+-]\d\d:\d\d)$/i

interface PropertySchema {
  readonly type?: string
  readonly items?: PropertySchema
}

type Values = Readonly<Record<string, unknown>>

/** For `app.setValidatorCompiler`. Path parameters always pass: an unknown one is a 404, which the routes return. */
export function createValidatorCompiler({ mediaRoots = [] }: { readonly mediaRoots?: readonly string[] } = {}): FastifySchemaCompiler<
  Record<string, unknown>
> {
  let made: Ajv | undefined
  return ({ schema, httpPart }) => {
    if (httpPart === 'params') return () => true
    // Compiled at the first request that needs it, so that the start does not wait for all of them.
    let compiled: ValidateFunction | undefined
    const check = () => (compiled ??= (made ??= createAjv(mediaRoots)).compile(schema))
    if (httpPart !== 'querystring') return (body) => verdict(check(), boundLists(schema, body))
    const properties = propertiesOf(schema)
    return (query) => verdict(check(), readQuery(query, properties), { indices: false })
  }
}

function createAjv(mediaRoots: readonly string[]): Ajv {
  const ajv = new Ajv({ verbose: true, allErrors: true, useDefaults: true, coerceTypes: false, strict: false, strictNumbers: true })
  // The package is CommonJS: Node's import has the function as its member `default`.
  addFormats.default(ajv)
  const { validate } = Object(ajv.formats['date-time'])
  // RFC 3339 wants the colon, ISO 8601 does not.
  ajv.addFormat('date-time', (text: string) => ZONE.test(text) && validate(text))
  for (const [name, { fits }] of Object.entries(FORMATS)) ajv.addFormat(name, fits)
  addFoldersKeyword(ajv, mediaRoots)
  return ajv
}

function verdict(check: ValidateFunction, value: unknown, { indices = true } = {}) {
  if (check(value)) return { value }
  const problems = problemsOf(check.errors ?? [])
  // A repeatable query parameter is named without its index.
  const named = indices ? problems : problems.map(({ path, message }) => ({ path: path.replace(/\.\d+$/, ''), message }))
  return { error: invalid(onePerPath(named)) }
}

/**
 * Converts Ajv's errors to problems. Of an alternative (`anyOf`), its first branch is reported, and the other branches' errors on the same
 * value.
 */
function problemsOf(errors: readonly ErrorObject[]): readonly Problem[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.flatMap((error) => {
    // Ajv reports errors inside an alternative before the alternative itself: the last one is the outermost.
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
  // A constant is more specific than its type.
  const errorOf = (branch: readonly ErrorObject[]) => branch.find(({ keyword }) => keyword === 'const') ?? branch[0] ?? alternative
  const problems = [...branches.values()].map((branch) => problemOf(errorOf(branch)))
  const { path, message } = problems[0] ?? problemOf(alternative)
  const others = problems.filter((problem) => problem.path === path).map((problem) => problem.message)
  return { path, message: [...new Set([message, ...others])].join(', or ') }
}

const problemOf = (error: ErrorObject): Problem => ({ path: pathOf(error), message: messageOf(error) })

function onePerPath(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.toReversed().map((problem) => [problem.path, problem])).values()].toReversed().slice(0, PROBLEMS_MAX)
}

/** Turns `/paths/0` into `paths.0`; a missing member has its own name as path. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1)
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  return [...parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')), ...missing].join('.')
}

function messageOf({ keyword, message, params, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'const') return `must be ${String(params['allowedValue'])}`
  if (keyword === 'enum') return `must be one of ${[params['allowedValues']].flat().join(', ')}`
  if (keyword === 'pattern' || keyword === 'format') return formOf(parentSchema)
  return message ?? 'is not valid'
}

/** What a text must be like, by its schema. */
function formOf({ format, pattern, examples = [] }: Readonly<Record<string, unknown>> = {}): string {
  const ours = FORMATS[String(format)]
  if (ours) return ours.message
  if (pattern === VISIBLE) return 'must not be blank'
  const [example] = [examples].flat()
  return typeof example === 'string' ? `must look like ${example}` : 'has the wrong form'
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
 * A text that does not fit the type stays a text, which validation then rejects. A position may have as many decimals as a browser's
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

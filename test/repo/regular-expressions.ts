/** Collects the regular expressions of the programs, and generates strings that attack each of them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

export interface FoundExpression {
  /** Path in the repository. */
  readonly file: string
  /** Its source text. */
  readonly text: string
  readonly pattern: RegExp
}

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['src', 'projections', 'transcode-agent']

/** All literals, by file. */
export const findExpressions = (): readonly FoundExpression[] => sourceFiles().flatMap(expressionsIn)

function sourceFiles(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(ROOT, folder, name)),
  )
}

function expressionsIn(path: string): readonly FoundExpression[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const found: FoundExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { text } = node
      const end = text.lastIndexOf('/')
      found.push({ file: relative(ROOT, path), text, pattern: new RegExp(text.slice(1, end), text.slice(end + 1)) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * Those that a file builds with `new RegExp` while it is loaded; `missing`: files that build some at other times, which this does not see.
 */
export async function findBuiltExpressions(): Promise<{ readonly found: readonly FoundExpression[]; readonly missing: readonly string[] }> {
  const found: FoundExpression[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]: [string | RegExp, string | undefined]) {
      const pattern = new target(source, flags)
      const file = new Error().stack?.split('\n').find((line) => FOLDERS.some((folder) => line.includes(join(ROOT, folder))))
      if (file)
        found.push({ file: relative(ROOT, /([^ (]*\.ts):/.exec(file.replace('file://', ''))?.[1] ?? ''), text: String(pattern), pattern })
      return pattern
    },
  })
  const sites = sourceFiles().map((path) => [path, builtIn(path)] as const)
  try {
    for (const [path, count] of sites) if (count > 0) await import(path)
  } finally {
    globalThis.RegExp = Original
  }
  const isSeen = ([path, count]: readonly [string, number]) => found.filter(({ file }) => file === relative(ROOT, path)).length >= count
  return { found, missing: sites.filter((site) => !isSeen(site)).map(([path]) => relative(ROOT, path)) }
}

/** Number of constructor calls in a file. */
function builtIn(path: string): number {
  let count = 0
  const visit = (node: ts.Node): void => {
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') count++
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest))
  return count
}

/** Sample characters of an expression's character classes. */
const CLASSES: Readonly<Record<string, string>> = {
  s: ' ',
  S: 'x',
  d: '0',
  D: 'x',
  w: 'x',
  W: ' ',
  n: '\n',
  r: '\r',
  t: '\t',
  b: ' ',
  B: 'x',
  '0': '\0',
}
const MOST_PIECES = 7

/** Texts and characters that occur in an expression. */
function piecesOf({ source }: RegExp): readonly string[] {
  const bare = source
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)/g, '(')
    .replaceAll(/\\p\{[^}]*\}/gi, 'x')
    .replaceAll(/\\u\{?([\da-f]{4,6})\}?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\x([\da-f]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\{\d+(?:,\d*)?\}/g, '')
    .replaceAll(/\\(.)/gs, (_, character: string) => CLASSES[character] ?? character)
  const words = bare.split(/[()[\]|^$*+?.]+/).filter((word) => word !== '')
  const characters = bare.replaceAll(/[a-z0-9()[\]|^$*+?.]/gi, '').split(/(?:)/u)
  return [...new Set([' ', ...words, ...characters, 'x', '0'])].slice(0, MOST_PIECES)
}

/** Texts of about that length that match the start of the expression, repeat its loop, and fail at its end. */
export function* attacksOn(pattern: RegExp, length: number): Generator<string> {
  const pieces = piecesOf(pattern)
  const starts = ['', ...pieces.slice(1, 3)]
  const pumps = pieces.flatMap((one) => [one, ...pieces.filter((other) => other !== one).map((other) => one + other)])
  for (const start of starts) {
    for (const pump of pumps) {
      for (const end of ['\u2028', '!\n!']) yield start + pump.repeat(Math.ceil(length / pump.length)) + end
    }
  }
}

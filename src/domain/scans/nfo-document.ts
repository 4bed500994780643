/** Parses an `.nfo` into a tree of its `<movie>` element; returns nothing for hostile or broken input. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { withoutControls } from '../../vocabulary/text.ts'
import { decodeStrict, decodeUnicode } from '../subtitles/byte-encodings.ts'

export interface NfoDocument {
  /** The `<movie>` element; undefined if the file is no XML (Kodi also reads a bare URL). */
  readonly movie: unknown
  /** The text before and after it. */
  readonly outside: string
}

const MAX_BYTES = 1_048_576
const parser = new XMLParser({
  parseTagValue: false,
  ignoreAttributes: false,
  htmlEntities: true,
  attributeNamePrefix: '@',
  transformTagName: (name) => name.toLowerCase(),
  maxNestedTags: 20,
})

export function readNfoDocument(bytes: Uint8Array): NfoDocument | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = decodeUnicode(bytes) ?? decodeDeclared(bytes) ?? decodeStrict(bytes, 'windows-1252') ?? ''
  const start = text.search(/<movie[\s>]/i)
  if (start < 0) return { movie: undefined, outside: text }
  const end = text.toLowerCase().lastIndexOf('</movie>')
  if (end < start) return undefined
  const movie = parse(text.slice(start, end + '</movie>'.length))
  return movie === undefined ? undefined : { movie, outside: `${text.slice(0, start)} ${text.slice(end)}` }
}

/** Texts of the child elements with these names, in the order of the names. */
export function textsOf(node: unknown, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => childrenOf(node, name).flatMap((child) => textOf(child) || []))
}

export function childrenOf(node: unknown, name: string): readonly unknown[] {
  const child = isRecord(node) ? node[name] : undefined
  if (child === undefined) return []
  return Array.isArray(child) ? child : [child]
}

/** The text of an element, with or without attributes. */
export function textOf(node: unknown): string {
  if (typeof node === 'string') return withoutControls(node).trim()
  const text = isRecord(node) ? node['#text'] : undefined
  return typeof text === 'string' ? withoutControls(text).trim() : ''
}

export function attributeOf(node: unknown, name: string): string | undefined {
  const value = isRecord(node) ? node[`@${name}`] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Only the element is parsed, never a DOCTYPE before it: so the file cannot define entities. */
function parse(xml: string): unknown {
  try {
    const whole = XMLValidator.validate(xml) === true ? xml : withEscapedAmpersands(xml)
    if (XMLValidator.validate(whole) !== true) return undefined
    const document: unknown = parser.parse(whole)
    return childrenOf(document, 'movie')[0]
  } catch {
    return undefined
  }
}

/** Escapes `Tom & Jerry`, as careless tools write it; CDATA sections stay unchanged. */
function withEscapedAmpersands(xml: string): string {
  const parts = xml.split(']]>').map((part) => {
    const at = part.indexOf('<![CDATA[')
    const [outside, inside] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at)]
    return outside.replace(/&(?!#?\w{1,10};)/g, '&amp;') + inside
  })
  return parts.join(']]>')
}

/** By the XML declaration, which is ASCII in every encoding that needs one. */
function decodeDeclared(bytes: Uint8Array): string | undefined {
  const declaration = String.fromCharCode(...bytes.subarray(0, 200))
  const label = /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(declaration)?.[1]
  return label === undefined ? undefined : decodeStrict(bytes, label)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

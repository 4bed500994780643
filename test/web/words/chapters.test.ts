/** The English of a page that is not in the first script has to come with the page: what each page may say is followed through the build. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import t from 'tap'
import { buildWeb } from '../../../web/build.ts'
import { PAGES } from '../../../web/pages.ts'
import { en } from '../../../web/words/en.ts'

const WEB = join(import.meta.dirname, '../../../web')
await buildWeb()
const { inputs } = JSON.parse(readFileSync(join(WEB, 'dist/meta.json'), 'utf8')) as Metafile

const chapters = new Map<string, readonly string[]>()
for (const name of readdirSync(join(WEB, 'words')).filter((file) => /^en-.*\.ts$/.test(file))) {
  const [phrases] = Object.values((await import(join(WEB, 'words', name))) as Record<string, object>)
  chapters.set(`words/${name}`, Object.keys(phrases ?? {}))
}

/** A module and all that it imports, also later; other pages are not its own. */
function closureOf(root: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path) || path.includes('node_modules')) return
    seen.add(path)
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind === 'import-statement' || !/^(pages|words)\//.test(next)) visit(next)
  }
  visit(root)
  return seen
}

/** What decides whether a module says a phrase: its key, or the beginning of keys that are composed. */
function saidBy(module: string): (key: string) => boolean {
  const text = readFileSync(join(WEB, module), 'utf8')
  const beginnings = [...text.matchAll(/`([a-z-]+(?:\.[a-zA-Z-]+)*\.)\$\{/g)].map((match) => match[1] ?? '')
  return (key) => text.includes(`'${key}'`) || beginnings.some((start) => key.startsWith(start))
}

function missingIn(root: string): readonly string[] {
  const modules = closureOf(root)
  const says = [...modules].filter((name) => inputs[name] && !name.startsWith('words/')).map(saidBy)
  return [...chapters].flatMap(([chapter, keys]) =>
    modules.has(chapter) ? [] : keys.filter((key) => !Object.hasOwn(en, key) && says.some((isSaid) => isSaid(key))),
  )
}

t.test('no phrase is in two chapters', async (t) => {
  const all = [...Object.keys(en), ...[...chapters.values()].flat()]
  t.strictSame(
    all.filter((key, index) => all.indexOf(key) !== index),
    [],
  )
})

t.test('each page comes with the phrases that it says', async (t) => {
  t.ok(chapters.size > 3)
  for (const root of ['main.tsx', ...new Set(PAGES.map(({ file }) => file))]) t.strictSame(missingIn(root), [], root)
})

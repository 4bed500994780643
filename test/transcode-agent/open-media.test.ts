import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createTestClock } from '../../src/adapters/memory/clock.ts'
import { openUnchanged } from '../../transcode-agent/open-media.ts'

t.test('a film that was replaced since the last scan is not opened; one that cannot be looked at is left to ffmpeg', async (t) => {
  const path = join(t.testdir({}), 'film.mkv')
  writeFileSync(path, 'x'.repeat(1000))
  const open = openUnchanged(createTestClock())
  const source = { fileId: 'film', path, sizeBytes: 1000, modifiedAtMs: 0, token: '' }
  t.match(await open(source), { input: { type: 'path', path } }, 'its time alone says nothing: it may have been touched')
  writeFileSync(path, 'x'.repeat(999))
  t.match(await open(source), { unreachable: /has changed/ })
  t.match(await open({ ...source, path: `${path}.gone` }), { input: { type: 'path' } })
})

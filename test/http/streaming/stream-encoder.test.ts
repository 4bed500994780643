/** The encoder in the URLs of a playlist. */
import t from 'tap'
import type { StreamAsk } from '../../../src/app/streaming/stream-answers.ts'
import { session, STREAM_TOKEN } from '../../fixtures/samples.ts'
import { serverOf } from '../http-server.ts'
import { addStreamRoutes } from '../../../src/http/streaming/streams-routes.ts'
import { createFakeServer } from '../../fixtures/fake-services/server.ts'
import { createFakePlayback } from '../../fixtures/fake-services/playback.ts'

const startServer = serverOf(addStreamRoutes, () => ({ ...createFakeServer(), ...createFakePlayback() }))

t.test('what a playlist says of its encoder comes back with its URLs; what names none is nothing', async (t) => {
  const asked: StreamAsk['encoder'][] = []
  const server = await startServer(t, {
    services: (fake) => ({
      ...fake,
      streams: { ...fake.streams, segment: async ({ encoder }) => (asked.push(encoder), Buffer.from('segment')) },
    }),
  })
  for (const query of ['', '&encoder=nvenc', '&encoder=x264', '&encoder=h264_nvenc', '&encoder=', '&encoder=nvenc&encoder=nvenc']) {
    const { status } = await server.anon('GET', `/api/stream/${session.id}/original/seg-0.m4s?token=${STREAM_TOKEN}${query}`)
    t.equal(status, 200, query)
  }
  t.strictSame(asked, [undefined, 'nvenc', 'x264', undefined, undefined, undefined])
})

/** Serves the trickplay images of a playback session for a player's seek bar, and their index. */
import { Type } from 'typebox'
import { parseTrickplayFile, type TrickplayFile } from '../../domain/streaming/stream-name.ts'
import { imagePlaylist, planDocument, thumbnailsVtt } from '../../domain/streaming/trickplay-playlists.ts'
import { abortable } from '../../concurrency/timeout.ts'
import type { App, RouteContext } from '../server/app.ts'
import { notFound } from '../server/errors.ts'
import { operation } from '../server/operation.ts'
import { TrickplayPlan } from './trickplay-schemas.ts'
import { Id, refTo } from '../server/values-schemas.ts'
import { PLAYLIST, sendBytes, sendFresh, WEBVTT } from './stream-response.ts'
import type { StreamExchange } from './stream-exchange.ts'
import type { StreamAsk } from '../../app/streaming/stream-answers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const GET_TRICKPLAY = {
  ...operation({
    id: 'getTrickplay',
    tag: 'streams',
    by: 'streams',
    summary: 'Get thumbnails for the seek bar',
    description: `\`thumbnails.vtt\` (a cue for each thumbnail, with \`#xywh=\` on a sheet), \`plan.json\` (for players with a seek bar of their
own), \`320.m3u8\` (image playlist) and the sheets \`320-0.jpg\`, \`320-1.jpg\`, ...: 10 x 10 thumbnails each, one for every ten seconds,
row by row. Either all files exist or none. They are made some time after the scan, unless the library has trickplay turned off.`,
    answers: {
      200: {
        description: 'The requested file. The schema is that of `plan.json`.',
        schema: Type.Union([refTo(TrickplayPlan), Type.String({ format: 'binary' })]),
        type: ['application/json', 'text/vtt', PLAYLIST, 'image/jpeg'],
      },
    },
  }),
  params: Type.Object({
    sessionId: Id,
    filename: Type.String({ examples: ['thumbnails.vtt', 'plan.json', '320.m3u8', '320-0.jpg'] }),
  }),
}

export function addTrickplayRoute(
  app: App,
  { services, admit }: Pick<RouteContext<'trickplay'>, 'services'> & { readonly admit: StreamExchange },
): void {
  const { trickplay } = services

  app.route({
    method: 'GET',
    url: '/api/stream/:sessionId/trickplay/:filename',
    schema: GET_TRICKPLAY,
    handler: async (request, reply) => {
      const { sessionId, filename } = request.params
      const ask = await admit({ request, reply }, sessionId)
      const name = parseTrickplayFile(filename)
      if (name?.type === 'sheet') return sendBytes(await there(trickplay.sheet(ask.file, name), ask), 'image/jpeg', reply)
      const { type, text } = name ? await textOf(name) : absent()
      return sendFresh(text, type, { request, reply })

      async function textOf(file: Exclude<TrickplayFile, { readonly type: 'sheet' }>) {
        const plan = await there(trickplay.plan(ask.file), ask)
        if (file.type === 'plan') return { type: JSON_TYPE, text: JSON.stringify(planDocument(plan, ask.token)) }
        if (file.type === 'vtt') return { type: WEBVTT, text: thumbnailsVtt(plan, ask.token) }
        return file.width === plan.width ? { type: PLAYLIST, text: imagePlaylist(plan, ask.token) } : absent()
      }
    },
  })
}

function absent(): never {
  throw notFound()
}

async function there<Content>(answer: Promise<Content | undefined>, { signal }: StreamAsk): Promise<Content> {
  return (await abortable(answer, signal)) ?? absent()
}

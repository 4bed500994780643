import t from 'tap'
import { placesFor, type Agent } from '../../../src/domain/streaming/placement.ts'

const IDLE: Agent = { agentId: 'idle', slots: 4, free: 4, load: 0, encoders: null, leaving: false, isSilent: false }
const FILM = { weight: 1, encoder: 'x264' }
const COPY = { weight: 0.1, encoder: null }
const x264 = (framesPerSecond: number) => [{ name: 'x264', framesPerSecond }]

const TABLE: readonly (readonly [title: string, job: typeof FILM | typeof COPY, agents: readonly Partial<Agent>[], order: string])[] = [
  [
    'one with more room comes first',
    FILM,
    [
      { agentId: 'a', free: 1 },
      { agentId: 'b', free: 3 },
    ],
    'b a',
  ],
  [
    'one without room comes last, however fast',
    FILM,
    [
      { agentId: 'a', free: 0.5, encoders: x264(900) },
      { agentId: 'b', free: 1 },
    ],
    'b a',
  ],
  [
    'a copy has room where a film has none',
    COPY,
    [
      { agentId: 'a', free: 0.5, encoders: x264(900) },
      { agentId: 'b', free: 1 },
    ],
    'a b',
  ],
  [
    'one with little to do comes first',
    FILM,
    [
      { agentId: 'a', load: 1.5 },
      { agentId: 'b', load: 0.2 },
    ],
    'b a',
  ],
  [
    'the faster one comes first',
    FILM,
    [
      { agentId: 'a', encoders: x264(40) },
      { agentId: 'b', encoders: x264(200) },
    ],
    'b a',
  ],
  [
    'a fast one at work beats a slow one at rest',
    FILM,
    [
      { agentId: 'a', encoders: x264(40) },
      { agentId: 'b', free: 2, encoders: x264(200) },
    ],
    'b a',
  ],
  [
    'a slow one at rest beats a faster one with too much to do',
    FILM,
    [
      { agentId: 'a', encoders: x264(70) },
      { agentId: 'b', free: 1, load: 2, encoders: x264(120) },
    ],
    'a b',
  ],
  [
    'one that was not tried is taken for a small machine',
    FILM,
    [{ agentId: 'a' }, { agentId: 'b', encoders: x264(200) }, { agentId: 'c', encoders: x264(20) }],
    'b a c',
  ],
  [
    'one without the encoder is not asked',
    FILM,
    [
      { agentId: 'a', encoders: [] },
      { agentId: 'b', free: 0 },
    ],
    'b',
  ],
  ['but for a copy', COPY, [{ agentId: 'a', encoders: [] }], 'a'],
  ['one that leaves is not asked', FILM, [{ agentId: 'a', leaving: true }, { agentId: 'b' }], 'b'],
  [
    'one that was silent comes last',
    FILM,
    [
      { agentId: 'a', isSilent: true },
      { agentId: 'b', free: 0 },
    ],
    'b a',
  ],
  [
    'one with less than a slot still does one job',
    FILM,
    [
      { agentId: 'a', slots: 0.5, free: 0.5 },
      { agentId: 'b', free: 0 },
    ],
    'a b',
  ],
  ['equals are always in the same order', FILM, [{ agentId: 'b' }, { agentId: 'a' }], 'a b'],
]
for (const [title, job, agents, order] of TABLE) {
  t.test(`given ${agents.length} agents: ${title}`, async (t) => {
    t.equal(
      placesFor(
        agents.map((agent) => ({ ...IDLE, ...agent })),
        job,
      ).join(' '),
      order,
    )
  })
}

import t from 'tap'
import { placesFor, preferredEncoder, type Agent } from '../../../src/domain/streaming/placement.ts'

const IDLE: Agent = { agentId: 'idle', slots: 4, free: 4, load: 0, encoders: null, leaving: false, isSilent: false }
const FILM = { weight: 1, encoder: 'x264' } as const
const COPY = { weight: 0.1, encoder: null }
const x264 = (framesPerSecond: number) => [{ name: 'x264', framesPerSecond } as const]

const CIRCUIT = { weight: 0.5, encoder: 'nvenc' } as const
const nvenc = (framesPerSecond: number) => [{ name: 'nvenc', framesPerSecond } as const, ...x264(90)]

const TABLE: readonly (readonly [
  title: string,
  job: typeof FILM | typeof COPY | typeof CIRCUIT,
  agents: readonly Partial<Agent>[],
  order: string,
])[] = [
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
  [
    'a circuit is asked for of those that were seen to have it, and of no other',
    CIRCUIT,
    [
      { agentId: 'a' },
      { agentId: 'b', encoders: x264(900) },
      { agentId: 'c', encoders: nvenc(200) },
      { agentId: 'd', encoders: nvenc(400) },
    ],
    'd c',
  ],
  [
    'one with a circuit does software too, as fast as its processor is',
    FILM,
    [
      { agentId: 'a', encoders: nvenc(900) },
      { agentId: 'b', encoders: x264(200) },
    ],
    'b a',
  ],
  [
    'a circuit has room where software has none',
    CIRCUIT,
    [
      { agentId: 'a', free: 0.25, encoders: nvenc(900) },
      { agentId: 'b', free: 0.5, encoders: nvenc(100) },
    ],
    'b a',
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

const PREFERRED: readonly (readonly [title: string, agents: readonly Partial<Agent>[], encoder: string])[] = [
  ['software where there is nobody', [], 'x264'],
  ['software while nobody was tried', [{}], 'x264'],
  ['software where no circuit was seen to work', [{ encoders: x264(90) }], 'x264'],
  ['a circuit that any of them has', [{ encoders: x264(90) }, { encoders: nvenc(400) }], 'nvenc'],
  ['not that of one who leaves', [{ encoders: nvenc(400), leaving: true }, { encoders: x264(90) }], 'x264'],
  ['nor of one who gives no answer', [{ encoders: nvenc(400), isSilent: true }], 'x264'],
  ['nor of one without room', [{ encoders: nvenc(400), free: 0.25 }, { encoders: x264(90) }], 'x264'],
  ['of two circuits always the same', [{ encoders: [{ name: 'vaapi', framesPerSecond: 999 }] }, { encoders: nvenc(100) }], 'nvenc'],
]
for (const [title, agents, encoder] of PREFERRED) {
  t.test(`a new session gets ${title}`, async (t) => {
    const all = agents.map((agent) => ({ ...IDLE, ...agent }))
    t.equal(preferredEncoder(all), encoder)
    t.equal(preferredEncoder(all.toReversed()), encoder)
  })
}

t.test('a film in HDR goes to agents that were not seen to fail at it', async (t) => {
  const job = { ...FILM, toneMap: 'zscale' } as const
  const agents = [{ agentId: 'a', toneMaps: [] }, { agentId: 'b', toneMaps: ['zscale'] as const }, { agentId: 'c' }]
  t.strictSame(
    placesFor(
      agents.map((agent) => ({ ...IDLE, ...agent })),
      job,
    ),
    ['b', 'c'],
  )
  t.equal(placesFor([{ ...IDLE, toneMaps: [] }], { ...job, toneMap: null }).length, 1)
})

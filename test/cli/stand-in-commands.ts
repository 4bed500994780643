/** Operator's commands that answer from a script and remember what they were asked. */
import type { OperatorCommands } from '../../src/app/operator/operator-commands.ts'
import { refuse } from '../../src/domain/refusal.ts'

export interface StandIn extends OperatorCommands {
  readonly asked: readonly (readonly [command: string, ...input: unknown[]])[]
}

const COUNTS = { seen: 812, added: 4, updated: 1, moved: 0, missing: 2, restored: 0, unchanged: 805, ignored: 9, errors: 1 }

export function standInCommands(answers: Partial<OperatorCommands> = {}): StandIn {
  const asked: [string, ...unknown[]][] = []
  const note = <Answer>(answer: Answer, ...call: [string, ...unknown[]]): Promise<Answer> => {
    asked.push(call)
    return Promise.resolve(answer)
  }
  return {
    asked,
    addUser: (account) => note({ id: 'uuuuuuuuuuuuuuuuuuuuu' }, 'addUser', account),
    listUsers: () =>
      note(
        [{ id: 'uuuuuuuuuuuuuuuuuuuuu', email: 'ann@example.org', name: 'Ann\u001B[31m', role: 'admin' as const, enabled: false }],
        'listUsers',
      ),
    setPassword: (change) => note(change.user === 'nobody' ? refuse('not-found', 'There is no user nobody') : null, 'setPassword', change),
    grantLibraries: (grant) => note(null, 'grantLibraries', grant),
    enableUser: (change) => note(null, 'enableUser', change),
    eraseUser: (who) => note(null, 'eraseUser', who),
    listLibraries: () =>
      note(
        [
          {
            id: 'lllllllllllllllllllll',
            name: 'Films',
            state: 'offline' as const,
            movieCount: 812,
            missingCount: 3,
            roots: [
              { path: '/media/films', available: true },
              { path: '/mnt/away', available: false },
            ],
          },
        ],
        'listLibraries',
      ),
    addLibrary: (library) =>
      note(library.name === 'Twice' ? refuse('invalid', 'Twice the same folder') : { id: 'lllllllllllllllllllll' }, 'addLibrary', library),
    scanLibrary: (name, step) => {
      step({ state: 'walking', done: 0, total: null })
      for (const done of [1, 2, 300, 812]) step({ state: 'probing', done, total: 812 })
      const errors = [{ file: 'broken.mkv', message: 'Probe timed out' }]
      return note({ state: 'completed', counts: COUNTS, errors, error: null }, 'scanLibrary', name)
    },
    startPlay: (movie) =>
      note({ sessionId: 's1', title: 'A Film', urls: ['http://localhost:8420/api/stream/s1/master.m3u8?token=t'] }, 'startPlay', movie),
    beatPlay: (sessionId) => note(null, 'beatPlay', sessionId),
    endPlay: (sessionId) => note(null, 'endPlay', sessionId),
    verify: (step) => {
      step(5000)
      return note({ streams: 12, events: 5300, problems: [] }, 'verify')
    },
    ...answers,
  }
}

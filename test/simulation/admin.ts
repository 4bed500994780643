/**
 * Simulates an administrator, who revokes and restores permissions, and sends commands to players: grants, accounts, libraries, sessions,
 * logins.
 */
import type { UserChange } from '../../src/app/accounts/users.ts'
import type { LibraryId } from '../../src/vocabulary/id.ts'
import type { ApiNodes, Work } from './api-nodes.ts'
import { LIBRARIES, LOGINS, type Login } from './seed-log.ts'
import { grantKey } from './log-facts.ts'
import type { Play } from './viewer.ts'

interface Change {
  readonly what: string
  readonly work: Work<unknown>
  /** Key of the revoked or restored permission in the expected state. */
  readonly of?: string
  readonly isTaken?: boolean
}

const TRIES = 8

export async function administer(play: Play): Promise<void> {
  const { fixture, isOn, chance } = play
  for (let count = 1; isOn(); count++) {
    await fixture.pause(500 + chance(3000))
    if (!isOn()) return
    const change = changeOf(play, count)
    for (const step of change) {
      await insist(play, step)
      await fixture.pause(500 + chance(3000))
    }
  }
}

/** A revocation and its reversal. */
function changeOf(play: Play, count: number): readonly Change[] {
  const { chance } = play
  const user = [LOGINS.ann, LOGINS.ben, LOGINS.cat][chance(3)]?.[0]
  const [library, other] = chance(2) === 0 ? LIBRARIES : LIBRARIES.toReversed()
  if (!user || library === undefined || other === undefined) return []
  switch (chance(4)) {
    case 0:
      return grants(user, library, grantKey(user.userId, other))
    case 1:
      return accounts(user)
    case 2:
      return removal(library)
    default:
      return [tellOrEnd(count)]
  }
}

const change = ({ userId }: Login, wanted: UserChange): Pick<Change, 'what' | 'work'> => ({
  what: `change ${userId} to ${JSON.stringify(wanted)}`,
  work: ({ users }, caller, origin) => users.change(caller, userId, wanted, origin),
})

const grants = (user: Login, library: LibraryId, of: string): readonly Change[] => [
  { ...change(user, { libraryAccess: 'selected', libraryIds: [library] }), of, isTaken: true },
  { ...change(user, { libraryAccess: 'all' }), of, isTaken: false },
]

const accounts = (user: Login): readonly Change[] =>
  [true, false].map((isTaken) => ({ ...change(user, { enabled: !isTaken }), of: `user ${user.userId}`, isTaken }))

const removal = (library: LibraryId): readonly Change[] => [
  {
    what: `remove ${library}`,
    work: async ({ libraries }, caller, origin) => (await libraries.remove(caller, library, origin)) ?? true,
    of: `library ${library}`,
    isTaken: true,
  },
  {
    what: `restore ${library}`,
    work: ({ libraries }, caller, origin) => libraries.restore(caller, library, origin),
    of: `library ${library}`,
    isTaken: false,
  },
]

/** A command for the oldest session. */
const tellOrEnd = (count: number): Change => ({
  what: `order ${count}`,
  work: async ({ access, playback }, caller, origin) => {
    const [id] = access.sessions.keys()
    if (id === undefined) return true
    const message = `message ${count}`
    if (count % 2 === 0) return (await playback.terminate(caller, id, { message, origin })) ?? true
    return playback.command(caller, id, { order: { command: 'pause', message }, origin })
  },
})

async function insist({ fixture, expectations }: Play, { what, work, of, isTaken = false }: Change): Promise<void> {
  const [login] = LOGINS.root
  if (!login) return
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const answer = await fixture.ask({ what, token: login.token, work })
    if (answer.type === 'done') expectations.served(answer.asked, login)
    if (answer.type === 'done' && of !== undefined) expectations.taken(of, isTaken)
    // A message that may already have been delivered is not sent again.
    if (answer.type === 'done' || answer.type === 'refused' || what.startsWith('order')) return
    if (answer.type === 'silent') await answer.over
    await fixture.pause(300)
  }
}

/** Signs out with one login, and in again with a new one. */
export async function comeAndGo(
  { fixture, expectations, isOn, chance }: Play,
  first: Login,
  opened: (login: Login) => void,
): Promise<void> {
  const { userId } = first
  let login = first
  while (isOn()) {
    await fixture.pause(2000 + chance(8000))
    const { token } = login
    const out = await fixture.ask({
      what: `sign-out ${login.loginId}`,
      token,
      work: ({ signIns }, caller, origin) => signIns.signOut(caller, origin).then(() => true),
    })
    if (out.type !== 'done') continue
    expectations.taken(`login ${login.loginId}`, true)
    const made = await fixture.ask({
      what: `sign-in ${userId}`,
      token: LOGINS.root[1]?.token ?? '',
      work: ({ signIns }, _, origin) => signIns.open(userId, true, origin),
    })
    if (made.type !== 'done') return
    login = { ...made.value, userId }
    expectations.command(`sign-in ${login.loginId}`, made)
    await mustOpen(fixture, login)
    opened(login)
  }
}

async function mustOpen(fixture: ApiNodes, { token, loginId }: Login): Promise<void> {
  const node = fixture.wellNode()
  if (!node || !fixture.allWell()) return
  const answer = await fixture.askAt(node, { what: `use ${loginId}`, token, work: async () => true })
  // The account may have been disabled meanwhile.
  if (answer.type === 'refused' && answer.asked.well && fixture.allWell() && node.services.access.logins.get(loginId) === undefined) {
    fixture.world.fail(`${node.host.name} does not know ${loginId}`)
  }
}

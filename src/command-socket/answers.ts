/** What the server answers on the command socket: each of the operator's commands by its name. */
import { Type } from 'typebox'
import type { Static, TSchema } from 'typebox'
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import { messageSchema } from '../app/message-schema.ts'
import type { CommandContext, ListenOptions } from './listen.ts'

type Answer = (commands: OperatorCommands, input: unknown, context: CommandContext) => Promise<unknown>

/** Input is checked because the command line may be of another version than the server that still runs. */
function taking<Schema extends TSchema>(
  schema: Schema,
  answer: (commands: OperatorCommands, input: Static<Schema>, context: CommandContext) => Promise<unknown>,
): Answer {
  const isInput = messageSchema(schema)
  return (commands, input, context) => {
    if (!isInput(input)) throw new Error(OTHER_VERSION)
    return answer(commands, input, context)
  }
}

const OTHER_VERSION = 'The running server is of another version than this command: restart it'
const Account = Type.Object({ email: Type.String(), name: Type.String(), password: Type.String(), role: Type.Enum(['admin', 'user']) })
const Library = Type.Object({ name: Type.String(), paths: Type.Array(Type.String()) })
const Named = Type.Object({ name: Type.String() })
const Session = Type.Object({ sessionId: Type.String() })
const User = Type.Object({ user: Type.String() })
const Password = Type.Object({ user: Type.String(), password: Type.String() })
const Grant = Type.Object({ user: Type.String(), libraries: Type.Union([Type.Literal('all'), Type.Array(Type.String())]) })
const Enabling = Type.Object({ user: Type.String(), enabled: Type.Boolean() })
const Verification = Type.Object({ checkpoints: Type.Optional(Type.String()), keys: Type.Optional(Type.Array(Type.String())) })
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const ImportedItem = Type.Object({
  tmdb: orNull(Type.String()),
  imdb: orNull(Type.String()),
  title: orNull(Type.String()),
  year: orNull(Type.Number()),
  watchedAt: Type.String(),
  plays: Type.Number(),
  tally: Type.Optional(Type.Literal(true)),
  watchedMs: Type.Number(),
  positionMs: orNull(Type.Number()),
})
const Import = Type.Object({
  user: Type.String(),
  source: Type.String(),
  importId: orNull(Type.String()),
  dryRun: Type.Boolean(),
  items: Type.Array(ImportedItem),
})
const NewToken = Type.Object({
  user: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum(['read', 'playback', 'write', 'admin'])),
  days: Type.Integer(),
})
const Token = Type.Object({ user: Type.String(), id: Type.String() })
const Undo = Type.Object({ user: Type.String(), importId: Type.String() })
const Until = Type.Object({ until: Type.String() })
const Backup = Type.Object({ path: Type.String(), passphrase: Type.Optional(Type.String()), keep: Type.Optional(Type.Integer()) })
const ApiRequest = Type.Object({
  method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: Type.String(),
  body: orNull(Type.String()),
})
const Nothing = Type.Object({})

const ANSWERS: Readonly<Record<keyof OperatorCommands | 'hello', Answer>> = {
  hello: taking(Nothing, async () => null),
  callApi: taking(ApiRequest, (commands, ask, { signal }) => commands.callApi(ask, signal)),
  addUser: taking(Account, (commands, account) => commands.addUser(account)),
  listUsers: taking(Nothing, (commands) => commands.listUsers()),
  setPassword: taking(Password, (commands, change) => commands.setPassword(change)),
  grantLibraries: taking(Grant, (commands, grant) => commands.grantLibraries(grant)),
  enableUser: taking(Enabling, (commands, change) => commands.enableUser(change)),
  resetSecondFactor: taking(User, (commands, who) => commands.resetSecondFactor(who)),
  eraseUser: taking(User, (commands, who) => commands.eraseUser(who)),
  addToken: taking(NewToken, (commands, ask) => commands.addToken(ask)),
  listTokens: taking(User, (commands, who) => commands.listTokens(who)),
  revokeToken: taking(Token, (commands, which) => commands.revokeToken(which)),
  importHistory: taking(Import, (commands, ask) => commands.importHistory(ask)),
  undoImport: taking(Undo, (commands, which) => commands.undoImport(which)),
  listLibraries: taking(Nothing, (commands) => commands.listLibraries()),
  addLibrary: taking(Library, (commands, library) => commands.addLibrary(library)),
  scanLibrary: taking(Named, (commands, { name }, { step, signal }) => commands.scanLibrary(name, step, signal)),
  startPlay: taking(Named, (commands, { name }) => commands.startPlay(name)),
  beatPlay: taking(Session, (commands, { sessionId }) => commands.beatPlay(sessionId)),
  endPlay: taking(Session, (commands, { sessionId }) => commands.endPlay(sessionId)),
  replay: taking(Until, (commands, { until }, { signal }) => commands.replay(until, signal)),
  rotateCheckpointKey: taking(Nothing, (commands) => commands.rotateCheckpointKey()),
  backup: taking(Backup, (commands, ask, { step, signal }) => commands.backup(ask, step, signal)),
  verify: taking(Verification, (commands, ask, { step, signal }) => commands.verify(ask, step, signal)),
}

const isAnswered = (name: string): name is keyof typeof ANSWERS => Object.hasOwn(ANSWERS, name)

/** What `listenForCommands` takes to answer for these commands. */
export function answersOf(commands: OperatorCommands): ListenOptions['handle'] {
  return async ({ command, input }, context) => {
    if (!isAnswered(command)) throw new Error(OTHER_VERSION)
    return ANSWERS[command](commands, input, context)
  }
}

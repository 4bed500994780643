/** The services of accounts: who there is, how they sign in, and what they have set. */
import { omitUndefined } from '../vocabulary/omit-undefined.ts'
import { createAccessTokens } from '../app/accounts/access-tokens.ts'
import { createAccountChanges } from '../app/accounts/account-changes.ts'
import { createAccounts } from '../app/accounts/accounts.ts'
import { createAdminSeats } from '../app/accounts/admin-seats.ts'
import { createIdentities } from '../app/accounts/identities.ts'
import { createInstallation } from '../app/accounts/installation.ts'
import { createLogins } from '../app/accounts/logins.ts'
import { createNameClaims } from '../app/accounts/name-claims.ts'
import { createPasswords } from '../app/accounts/password-hash.ts'
import { createPreferences } from '../app/accounts/preferences.ts'
import { createPasskeys } from '../app/accounts/passkeys.ts'
import { createSecondFactors } from '../app/accounts/second-factors.ts'
import { createSignInRefusals } from '../app/accounts/sign-in-refusals.ts'
import { createSignIns } from '../app/accounts/sign-in.ts'
import { createSignUps } from '../app/accounts/sign-up.ts'
import { createSingleSignOn } from '../app/accounts/single-sign-on.ts'
import { createUserNames } from '../app/accounts/user-names.ts'
import { createUsers } from '../app/accounts/users.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

export function createAccountServices(
  foundation: Foundation,
  { ports, passwordCost, signUp, setupToken, singleSignOn: rules, onError }: ServiceOptions,
) {
  const { access, commandHandler, passingTexts, readModels, readYourWrites, sealer } = foundation
  const { clock, counters, identityProvider: provider, ids, leases, log, passkeyChecks, qrCodes, scrypt, vault } = ports
  const names = createNameClaims({ commandHandler, clock, vault })
  const adminSeats = createAdminSeats({ clock, commandHandler, leases, names })
  const passwords = createPasswords({ clock, scrypt, ...omitUndefined({ cost: passwordCost }) })
  const accounts = createAccounts({ commandHandler, names, seats: adminSeats, vault, passwords, sealer, ids, clock })
  const accountChanges = createAccountChanges({ accounts, commandHandler, names, passwords, sealer, seats: adminSeats, vault })
  const passkeys = createPasskeys({ access, checks: passkeyChecks, commandHandler, counters, passingTexts, readYourWrites, sealer })
  const refusals = createSignInRefusals({ clock, commandHandler, counters, ids, readYourWrites, onError })
  const secondFactors = createSecondFactors({
    access,
    clock,
    commandHandler,
    counters,
    passingTexts,
    qrCodes,
    readYourWrites,
    refusals,
    sealer,
  })
  const aboutSignIns = {
    access,
    accounts,
    accountChanges,
    commandHandler,
    counters,
    clock,
    readYourWrites,
    ids,
    passkeys,
    passwords,
    refusals,
    secondFactors,
    vault,
  }
  const signIns = createSignIns(aboutSignIns)
  const identities = createIdentities({ clock, commandHandler, names, readYourWrites, sealer })
  return {
    accessTokens: createAccessTokens({ access, clock, commandHandler, ids, readYourWrites, sealer }),
    accountChanges,
    accounts,
    adminSeats,
    installation: createInstallation({ access, commandHandler, vault }),
    logins: createLogins({ access, commandHandler, readYourWrites, sealer }),
    nameOf: createUserNames({ access, accounts, log, sealer }),
    passkeys,
    passwords,
    preferences: createPreferences({ commandHandler, readModels, readYourWrites, sealer }),
    secondFactors,
    signIns,
    signUps: createSignUps({ access, accounts, counters, readYourWrites, signIns, mode: signUp ?? 'off', setupToken }),
    singleSignOn:
      provider && rules ? createSingleSignOn({ ...aboutSignIns, identities, passingTexts, provider, rules, signIns, onError }) : undefined,
    users: createUsers({ access, accounts, changes: accountChanges, counters, readYourWrites }),
  }
}

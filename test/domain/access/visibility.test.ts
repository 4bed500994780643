import t from 'tap'
import { sees } from '../../../src/domain/access/visibility.ts'
import { named } from '../../fixtures/names.ts'

const [films, private_] = [named<'library'>('films'), named<'library'>('private')]

t.test('an admin sees every library, whatever the grants say', async (t) => {
  t.ok(sees({ role: 'admin', libraryAccess: 'selected', libraryIds: [] }, films))
})

t.test('a user with access to all sees every library', async (t) => {
  t.ok(sees({ role: 'user', libraryAccess: 'all', libraryIds: [] }, films))
})

t.test('a user with selected access sees those and no other', async (t) => {
  const viewer = { role: 'user', libraryAccess: 'selected', libraryIds: [films] } as const
  t.ok(sees(viewer, films))
  t.notOk(sees(viewer, private_))
  t.notOk(sees({ ...viewer, libraryIds: [] }, films))
})

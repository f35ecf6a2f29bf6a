import { expect, test } from 'vitest';
import { assertAdultOrPermitted } from '~/server/domain/accounts/base/rules';
import { requireAdult } from '~/server/domain/accounts/settings/ages';
import { transact } from '~/server/runtime/ctx';
import '../../../support/matchers';
import { cast } from '../../../support/cast';

const { make, ctxOf } = await cast();
/** The tests' clock starts on 2026-03-02. */
const NOW = new Date('2026-03-02T12:00:00Z');
const permitted = new Date('2026-01-01T00:00:00Z');

test.each([
  ['an unknown birth date', null, null, 'account.birth_date_required'],
  ['a permission, but no birth date', null, permitted, 'account.birth_date_required'],
  ['the 18th birthday', '2008-03-02', null, null],
  ['the day before it', '2008-03-03', null, 'account.parental_permission_required'],
  ['17 years and a permission', '2008-03-03', permitted, null],
  ['the 13th birthday and a permission', '2013-03-02', permitted, null],
  ['the day before it, with a permission', '2013-03-03', permitted, 'account.too_young'],
  ['a birth date in the future', '2030-01-01', permitted, 'account.too_young'],
  ['29 February, on 28 February', '2008-02-29', null, null],
])('%s', (_, birthDate, parentalPermissionAt, code) => {
  const check = () => assertAdultOrPermitted({ birthDate, parentalPermissionAt }, NOW);

  if (code) expect(check).toThrow(code);
  else expect(check).not.toThrow();
});

test('a creator page needs a birth date, and below 18 a parent’s permission', async () => {
  const { api, id } = await make.person({ birthDate: null });
  const claim = { name: 'Ana', domain: 'young-ana' };

  await expect(api.creators.claim(claim)).toFailWith('account.birth_date_required');
  await expect(api.creators.claim({ ...claim, birthDate: '1066-10-14' })).toFailWith('account.birth_date_required');
  await expect(api.creators.claim({ ...claim, birthDate: '2010-05-01' })).toFailWith(
    'account.parental_permission_required',
  );
  expect(await api.accounts.me()).toMatchObject({ birthDate: null, creator: null });
  await api.creators.claim({ ...claim, birthDate: '2010-05-01', parentalPermission: 'on' });

  expect(await api.accounts.me()).toMatchObject({ birthDate: '2010-05-01', hasParentalPermission: true });
  // from now on, the user may also buy paid memberships
  await expect(transact(ctxOf({ id, creatorId: null }), (tx) => requireAdult(tx, id, {}))).resolves.toBeUndefined();
});

test('a known birth date stays: stating another one does not make a user older', async () => {
  const { api } = await make.person({ birthDate: '2010-05-01' });

  await expect(api.creators.claim({ name: 'Bea', domain: 'young-bea', birthDate: '1990-05-01' })).toFailWith(
    'account.parental_permission_required',
  );

  expect(await api.accounts.me()).toMatchObject({ birthDate: '2010-05-01' });
});

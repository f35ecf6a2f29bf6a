import { expect, test } from 'vitest';
import { authorize, may } from '~/server/policy/authorize';
import { ROLE_ABILITIES, type Role, type RoleAbility } from '~/server/policy/roles';
import type { Actor } from '~/server/runtime/ctx';
import '../support/matchers';

const ROLES = ['owner', 'editor', 'analyst', 'finance'] as const;
const OURS = { id: 7, creatorId: 7 };
const THEIRS = { id: 8, creatorId: 8 };
const actor = (role: Role, creatorId: number | null = 7): Actor => ({
  type: 'user',
  userId: 1,
  creatorId,
  role,
  sessionId: 's',
});

/** Owner, editor, analyst, finance. */
const TABLE: Record<RoleAbility, [boolean, boolean, boolean, boolean]> = {
  'creator.read': [true, true, true, true],
  'creator.manage': [true, true, false, false],
  'creator.move': [true, false, false, false],
  'creator.export': [true, false, false, false],
  'creator.managePlan': [true, false, false, false],
  'creator.switchDonations': [true, false, false, false],
  'creator.connectAccount': [true, false, false, false],
  'product.read': [true, true, true, true],
  'product.manage': [true, true, false, false],
  'product.price': [true, false, false, false],
  'product.delete': [true, false, false, false],
  'product.handOver': [true, false, false, false],
  'episode.read': [true, true, true, false],
  'episode.manage': [true, true, false, false],
  'soundbite.manage': [true, true, false, false],
  'clip.read': [true, true, true, false],
  'clip.manage': [true, true, false, false],
  'campaign.read': [true, true, true, false],
  'campaign.manage': [true, true, false, false],
  'passage.manage': [true, true, false, false],
  'creator.readCoupons': [true, false, false, true],
  'coupon.manage': [true, false, false, false],
  'product.readBuyers': [true, false, false, true],
  'product.manageBuyers': [true, false, false, false],
  'creator.readPayouts': [true, false, false, true],
  'creator.requestPayout': [true, false, false, false],
  'creator.manageAffiliates': [true, false, false, false],
  'creator.manageWebhooks': [true, false, false, false],
  'creator.readStatistics': [true, true, true, true],
  'creator.manageContacts': [true, true, false, false],
  'creator.manageNewsletter': [true, true, false, false],
  'creator.resumeEdition': [true, false, false, false],
  'creator.manageDomains': [true, false, false, false],
  'creator.exportContacts': [true, false, false, false],
  'creator.readDonations': [true, true, false, true],
  'recommendation.manage': [true, true, false, false],
  'donation.moderate': [true, true, false, false],
  'creator.readActivity': [true, true, true, false],
  'creator.readTeam': [true, true, true, true],
  'creator.manageTeam': [true, false, false, false],
  'creator.manageKeys': [true, false, false, false],
  'creator.connectApps': [true, true, true, true],
};

test('every ability of a role is in the table', () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(ROLE_ABILITIES).sort());
});

const cases = Object.entries(TABLE).flatMap(([ability, row]) =>
  ROLES.map((role, i) => ({ ability: ability as RoleAbility, role, expected: row[i]! })),
);
test.each(cases)('$ability for $role of the team: $expected, of another creator: never', (example) => {
  const { ability, role, expected } = example;

  expect(may({ actor: actor(role) }, ability, OURS)).toBe(expected);
  expect(may({ actor: actor(role) }, ability, THEIRS)).toBe(false);
  expect(may({ actor: actor(role, null) }, ability, OURS)).toBe(false);
});

test('only members of the team learn why: for all others the subject does not exist', async () => {
  const refusal = (who: Actor) => (async () => authorize({ actor: who }, 'product.manage', OURS))();

  await expect(refusal(actor('analyst'))).toFailWith('common.role_not_allowed');
  await expect(refusal(actor('owner', 8))).toFailWith('product.not_found');
  await expect(refusal({ type: 'visitor' })).toFailWith('product.not_found');
});

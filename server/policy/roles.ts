import type { TeamRole } from '~/db/schema/team';

/** What a user is to the creator page that they work for: its owner, or a member of the team. */
export type Role = 'owner' | TeamRole;

const EVERYBODY = ['owner', 'editor', 'analyst', 'finance'] as const;
const READERS = ['owner', 'editor', 'analyst'] as const;
const WRITERS = ['owner', 'editor'] as const;
const OWNER = ['owner'] as const;
const MONEY = ['owner', 'finance'] as const;

/**
 * Which roles have an ability over what belongs to the creator they work for (docs/decisions/0154). Editors change
 * content, analysts read it, finance reads money, for which shows and statistics are enough. What cannot be undone, what
 * moves money or addresses, and the team itself are the owner's.
 */
export const ROLE_ABILITIES = {
  'creator.read': EVERYBODY,
  'creator.manage': WRITERS,
  /** The address of the page. */
  'creator.move': OWNER,
  /** A backup of everything, with the addresses of subscribers and what they have paid. */
  'creator.export': OWNER,
  /** The plan that the creator pays for, its card and its invoices. */
  'creator.managePlan': OWNER,
  /** The creator's own account at the payment provider, to which new sales go. */
  'creator.connectAccount': OWNER,
  'product.read': EVERYBODY,
  'product.manage': WRITERS,
  /** What listeners pay: prices, and making a paid show free, which ends their subscriptions. */
  'product.price': OWNER,
  'product.delete': OWNER,
  /** The address to which directories send the codes that transfer a show, and where its public feed leads. */
  'product.handOver': OWNER,
  /** Also unpublished episodes and private notes. */
  'episode.read': READERS,
  'episode.manage': WRITERS,
  'creator.readCoupons': MONEY,
  'coupon.manage': OWNER,
  /** Subscribers and customers, with their addresses and what they have paid. */
  'product.readBuyers': MONEY,
  /** Refunds, the end of somebody's access, and access for free. */
  'product.manageBuyers': OWNER,
  /** The balance, payouts, statements and their papers. */
  'creator.readPayouts': MONEY,
  'creator.requestPayout': OWNER,
  'creator.readStatistics': EVERYBODY,
  /** With the email addresses of donors. */
  'creator.readDonations': ['owner', 'editor', 'finance'],
  /** What donors have written on the page. */
  'donation.moderate': WRITERS,
  'creator.readActivity': READERS,
  'creator.readTeam': EVERYBODY,
  'creator.manageTeam': OWNER,
} as const satisfies Record<string, readonly Role[]>;

export type RoleAbility = keyof typeof ROLE_ABILITIES;

export function roleMay(role: Role, ability: RoleAbility): boolean {
  return (ROLE_ABILITIES[ability] as readonly Role[]).includes(role);
}

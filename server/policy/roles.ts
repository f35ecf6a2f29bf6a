/** The role of a team member: content, reading, or money. The owner is the account in `creators`. */
export type TeamRole = 'editor' | 'analyst' | 'finance';
/** The role of a user on the creator page for which they work: its owner, or a member of the team. */
export type Role = 'owner' | TeamRole;

const ALL_ROLES = ['owner', 'editor', 'analyst', 'finance'] as const;
const READERS = ['owner', 'editor', 'analyst'] as const;
const WRITERS = ['owner', 'editor'] as const;
const OWNER = ['owner'] as const;
const MONEY = ['owner', 'finance'] as const;

/**
 * The roles that have an ability over objects of the creator for whom they work (docs/decisions/0154). Editors change
 * content, analysts read it, finance reads money, which includes reading shows and statistics. Only the owner may do
 * what cannot be undone, move money or addresses, and manage the team.
 */
export const ROLE_ABILITIES = {
  'creator.read': ALL_ROLES,
  'creator.manage': WRITERS,
  /** Change the address of the page. */
  'creator.move': OWNER,
  /** Create a backup of everything, with the addresses of subscribers and their payments. */
  'creator.export': OWNER,
  /** Manage the creator's plan, its card and its invoices. */
  'creator.managePlan': OWNER,
  /** Switch donations on and off. */
  'creator.switchDonations': OWNER,
  /** Connect the creator's own account at the payment provider, which gets new sales. */
  'creator.connectAccount': OWNER,
  'product.read': ALL_ROLES,
  'product.manage': WRITERS,
  /** Change the prices for listeners, archive a paid show, and make it free, which ends the subscriptions. */
  'product.price': OWNER,
  'product.delete': OWNER,
  /**
   * Change the address to which directories send the codes that transfer a show, the link for donations in its feed, and
   * the redirect of its public feed; publish it on Spotify.
   */
  'product.handOver': OWNER,
  /** Includes unpublished episodes and private notes. */
  'episode.read': READERS,
  'episode.manage': WRITERS,
  /** Passages of episodes that are shared by themselves. */
  'soundbite.manage': WRITERS,
  /** The sounds that a creator inserts into episodes. */
  'clip.read': READERS,
  'clip.manage': WRITERS,
  /** What plays in the episodes of shows, and how often it was heard. */
  'campaign.read': READERS,
  'campaign.manage': WRITERS,
  /** Passages of episodes that listeners get otherwise. */
  'passage.manage': WRITERS,
  'creator.readCoupons': MONEY,
  'coupon.manage': OWNER,
  /** Read subscribers and customers, with their addresses and payments. */
  'product.readBuyers': MONEY,
  /** Refund payments, end a listener's access, and give access for free. */
  'product.manageBuyers': OWNER,
  /** Read the balance, payouts, statements and their papers. */
  'creator.readPayouts': MONEY,
  'creator.requestPayout': OWNER,
  /** Join the affiliate programme, add links, and see what they bring. */
  'creator.manageAffiliates': OWNER,
  'creator.readStatistics': ALL_ROLES,
  /** Includes the email addresses of donors. */
  'creator.readDonations': ['owner', 'editor', 'finance'],
  /** Read and change the contacts, with their addresses. */
  'creator.manageContacts': WRITERS,
  /** Download all contacts. */
  'creator.exportContacts': OWNER,
  /** Write editions, send them, and change the settings of the newsletter. */
  'creator.manageNewsletter': WRITERS,
  /** Send an edition that was stopped to the rest of its recipients. */
  'creator.resumeEdition': OWNER,
  /** Choose the domains that the newsletter is sent from. */
  'creator.manageDomains': OWNER,
  /** Choose the addresses to which the creator's events are sent, and read what they have answered. */
  'creator.manageWebhooks': OWNER,
  /** Ask other creators for recommendations, answer their requests, and end what was agreed. */
  'recommendation.manage': WRITERS,
  /** Moderate the messages of donors on the page. */
  'donation.moderate': WRITERS,
  'creator.readActivity': READERS,
  'creator.readTeam': ALL_ROLES,
  'creator.manageTeam': OWNER,
  /** Create keys of the API, and see which calls were made with them. */
  'creator.manageKeys': OWNER,
  /** Connect apps, which then do what the person may; the owner sees those of the whole team. */
  'creator.connectApps': ALL_ROLES,
} as const satisfies Record<string, readonly Role[]>;

export type RoleAbility = keyof typeof ROLE_ABILITIES;

export function roleMay(role: Role, ability: RoleAbility): boolean {
  return (ROLE_ABILITIES[ability] as readonly Role[]).includes(role);
}

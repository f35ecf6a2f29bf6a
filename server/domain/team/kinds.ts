/** What the activity log records. The text of each is in team.json, under `activity.`. */
export const ACTIVITY_ACTIONS = [
  'page.updated',
  'product.created',
  'product.updated',
  'product.archived',
  'product.unarchived',
  'product.becoming_free',
  'product.kept_paid',
  'product.deleted',
  'product.listed',
  'product.owner_asked',
  'episode.created',
  'episode.updated',
  'episode.published',
  'episode.scheduled',
  'episode.unpublished',
  'episode.deleted',
  'episode.restored',
  'episode.duplicated',
  'episode.chapters_changed',
  'episode.transcript_changed',
  'episode.previews_revoked',
  'episode.promo_added',
  'episode.promo_deleted',
  'episodes.changed',
  'episodes.change_undone',
  'coupon.created',
  'coupon.disabled',
  'coupon.enabled',
  'member.invited',
  'member.invitation_revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
] as const;

export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

/** Roles that somebody can be invited to. */
export const TEAM_ROLES = ['editor', 'analyst', 'finance'] as const;

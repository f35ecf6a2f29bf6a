import { DAYS } from '../base/time';

/**
 * `people`: members and pending invitations of one page. `emailsPerDay`: invitations that one account sends to any
 * addresses. `listed`: entries of the activity log on a page. `kept`: how long an entry is kept.
 */
export const TEAM_LIMITS = {
  people: 25,
  invitedFor: DAYS(7),
  emailsPerDay: 20,
  listed: 20,
  kept: DAYS(365),
} as const;

/**
 * `exported`: rows in one part of a file. `payments`: the latest payments on the page of one person. `invitedPerDay`:
 * emails. `note`: characters of the team's note about a person.
 */
export const BUYER_LIMITS = { exported: 2000, payments: 100, invitedPerDay: 100, note: 2000 } as const;

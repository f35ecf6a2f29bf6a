/** User agents and referrers. */
export const AGENT_LIMITS = {
  /** Characters that are read of a user agent: no client has a longer name. */
  readLength: 1024,
  /** A longer user agent is malformed. In-app browsers send up to 600 characters. */
  longestLength: 2048,
  /** Classified user agents that are kept in memory, and the longest of them. */
  cachedAgents: 5_000,
  cachedLength: 512,
  referrerLength: 2048,
  /** Of the operator's own table. */
  fileBytes: 1_000_000,
  patternLength: 200,
} as const;

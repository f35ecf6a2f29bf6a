/** Limits for an address before it is looked up: longer than any domain or slug, so that a typo is a 404. */
export const ADDRESS_LIMITS = { domainLength: 100, slugLength: 200, urlLength: 2000 } as const;

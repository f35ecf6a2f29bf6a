export const CREATOR_LIMITS = {
  nameLength: 20,
  aboutTitleLength: 200,
  aboutTextLength: 500,
  ctaTitleLength: 100,
  ctaTextLength: 200,
  ctaButtonLength: 40,
  testimonials: 10,
  testimonialLength: 400,
  authorLength: 80,
  links: 12,
  linkLabelLength: 40,
  donationTextLength: 200,
  usernameLength: 30,
  urlLength: 500,
} as const;

/**
 * `former`: the number of domains that one creator may give up; each stays reserved, so no other creator can claim it.
 */
export const DOMAIN_LIMITS = { min: 3, max: 30, former: 10 } as const;

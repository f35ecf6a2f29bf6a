export const PRODUCT_LIMITS = {
  nameLength: 100,
  descriptionLength: 4000,
  slugLength: 60,
  messageLength: 2000,
} as const;

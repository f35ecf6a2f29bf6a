/** One grant: a person has at most one of each source per product. */
export type GrantKey = {
  userId: number;
  productId: number;
  source: 'follow' | 'subscription' | 'purchase' | 'gift';
};

/** `endsAt`: null or missing, without an end. `renews`: it will be paid again at its end. */
export type NewGrant = GrantKey & { endsAt?: Date | null; renews?: boolean };

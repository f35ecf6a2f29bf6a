/** Key of a grant: a person has at most one grant of each source per product. */
export type GrantKey = {
  userId: number;
  productId: number;
  source: 'follow' | 'subscription' | 'purchase' | 'gift';
};

/** `endsAt`: null or missing if the grant has no end. `renews`: the grant is paid again at its end. */
export type NewGrant = GrantKey & { endsAt?: Date | null; renews?: boolean };

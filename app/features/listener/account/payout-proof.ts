import type { PayoutProof } from './payout-section';

type Factors = { isOn: boolean; missingProof: string | null };

/** The proof that a change of the payout account requires. */
export function proofFor({ hasPassword }: { hasPassword: boolean }, { isOn, missingProof }: Factors): PayoutProof {
  if (isOn) return missingProof === null ? 'proven' : 'second_factor';
  return hasPassword ? 'password' : 'missing';
}

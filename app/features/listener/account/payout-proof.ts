import type { PayoutProof } from './payout-section';

type Factors = { isOn: boolean; missingProof: string | null };

/** What a change of where money goes asks for. */
export function proofFor({ hasPassword }: { hasPassword: boolean }, { isOn, missingProof }: Factors): PayoutProof {
  if (isOn) return missingProof === null ? 'proven' : 'second_factor';
  return hasPassword ? 'password' : 'missing';
}

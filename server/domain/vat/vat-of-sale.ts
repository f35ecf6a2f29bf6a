import type { LocationEvidence } from '~/db/schema/billing';
import type { Ctx } from '../../runtime/ctx';
import { isBusiness } from './check-tax-number';
import { locationOf, vatContained, vatDecision } from './rules';
import { sellerOf } from './seller';

/** A payment whose VAT is computed. `evidence`: evidence of the buyer's country. */
export type Paid = {
  amountMinor: number;
  isDonation: boolean;
  connectedAccount: string | null;
  taxNumber: string | null;
  evidence: LocationEvidence[];
  at: Date;
};

/** The VAT facts that are stored with the sale. */
export async function vatOfSale(ctx: Ctx, paid: Paid) {
  const { amountMinor, evidence, at, isDonation, connectedAccount, taxNumber } = paid;
  const { country } = locationOf(evidence);
  const decision = vatDecision({
    seller: sellerOf({ connectedAccount }),
    operator: ctx.settings.operator,
    isDonation,
    country,
    isBusiness: await isBusiness(ctx, country, taxNumber),
    at,
  });
  return {
    vatMinor: vatContained(amountMinor, decision.basisPoints),
    vatBasisPoints: decision.basisPoints,
    vatCountry: decision.country,
    vatBasis: decision.basis,
    vatEvidence: evidence,
  };
}

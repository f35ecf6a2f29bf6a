/**
 * The party that sells to the listener, and therefore owes the VAT. **A lawyer must confirm this file before real money
 * moves**: it is our reading, not advice. A payment on the account of the operator is a sale by the operator. A
 * platform that takes part in a supply of electronic services, sets its terms or charges it, is presumed to be its
 * supplier: Art. 9a of Implementing Regulation (EU) 282/2011, upheld in CJEU C-695/20 (Fenix). The creator sells to the
 * operator, who issues that invoice too (payouts). A payment on the creator's own account, with the creator's name on
 * page and receipt, is treated as a sale by the creator. The presumption of Art. 9a may still apply, because the
 * operator still delivers: this is the first question for the lawyer.
 */
export type SellingParty = 'operator' | 'creator';

/** @param connectedAccount the creator's account at the payment provider, if the payment goes there */
export const sellerOf = ({ connectedAccount }: { connectedAccount: string | null }): SellingParty =>
  connectedAccount === null ? 'operator' : 'creator';

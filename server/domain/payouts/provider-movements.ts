import type { TxCtx } from '../../runtime/ctx';
import { writeEntry } from './ledger';

/** Entries of the books that come from the provider's own, because no event reports them. */
type Moved = { id: string; minor: number; currency: string; at: Date };

/** Records the provider's payout to the operator's bank, or its reversal (a negative amount). */
export const enterProviderPayout = (tx: TxCtx, { id, minor, currency, at }: Moved): Promise<boolean> =>
  writeEntry(tx, { kind: 'provider_payout', key: `provider-payout/${id}`, at, currency }, [
    { account: 'bank', minor },
    { account: 'provider_balance', minor: -minor },
  ]);

/** Records one side of a conversion by the provider: what it added to the balance, or took from it. */
export const enterConversion = (
  tx: TxCtx,
  { key, minor, currency, at }: Omit<Moved, 'id'> & { key: string },
): Promise<boolean> =>
  writeEntry(tx, { kind: 'conversion', key, at, currency }, [
    { account: 'provider_balance', minor },
    { account: 'currency_exchange', minor: -minor },
  ]);

/** Records fees of the provider besides its part of payments, for example for a card that is renewed automatically. */
export const enterProviderFee = (tx: TxCtx, { id, minor, currency, at }: Moved): Promise<boolean> =>
  writeEntry(tx, { kind: 'processor_fee', key: `provider-fee/${id}`, at, currency }, [
    { account: 'provider_fees', minor },
    { account: 'provider_balance', minor: -minor },
  ]);

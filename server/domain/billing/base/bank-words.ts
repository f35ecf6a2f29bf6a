import type { Dispute, PaymentWarning } from '../../../adapters/payments/objects';

type Translate = (key: string) => string;

/** The bank's or the provider's reason as a sentence. New codes of the provider are shown as they are. */
export function reasonText(t: Translate, code: string): string {
  const key = `bank.reason.${code}`;
  const text = t(`mail:${key}`);
  return text === key ? code.replaceAll('_', ' ') : text;
}

/** What an open dispute waits for. */
export const disputeText = (t: Translate, status: Dispute['status']): string => t(`mail:bank.state.${status}`);

export const warningText = (t: Translate, kind: PaymentWarning['kind']): string => t(`mail:bank.warning.${kind}`);

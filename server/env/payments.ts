import { z } from 'zod';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { flag, list, text, wholeNumber } from './setting-types';

export const paymentShape = {
  STRIPE_PUBLISHABLE_KEY: text.optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(?:sk|rk)_(?:test|live)_/, 'must begin with sk_test_, sk_live_, rk_test_ or rk_live_')
    .optional(),
  STRIPE_WEBHOOK_SECRETS: list.default([]),
  STRIPE_CALLS_PER_SECOND: wholeNumber(5, 1000).default(24),
  STRIPE_CONNECT_CLIENT_ID: z.string().regex(/^ca_/, 'must begin with ca_').optional(),
  ALLOW_SANDBOX_PAYMENTS: flag.default(false),
};
type PaymentValues = z.infer<z.ZodObject<typeof paymentShape & typeof processShape>>;

/**
 * `connectClientId`: creators may connect their own accounts; the sandbox always allows it. `none`: production without
 * a Stripe key and without ALLOW_SANDBOX_PAYMENTS.
 */
export type PaymentSettings =
  | {
      provider: 'stripe';
      secretKey: string;
      webhookSecrets: string[];
      callsPerSecond: number;
      connectClientId?: string;
    }
  | { provider: 'sandbox' }
  | { provider: 'none' };

export function paymentSettings(values: PaymentValues, { needsSecrets }: { needsSecrets: boolean }): PaymentSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: webhookSecrets } = values;
  const production = isProduction(values);
  if (!secretKey) return { provider: production && !values.ALLOW_SANDBOX_PAYMENTS ? 'none' : 'sandbox' };
  if (needsSecrets && webhookSecrets.length === 0)
    throw new SettingError('STRIPE_WEBHOOK_SECRETS must be set when STRIPE_SECRET_KEY is');
  if (!production && /_live_/.test(secretKey))
    throw new SettingError('STRIPE_SECRET_KEY must be a test key unless APP_ENV is production');
  const { STRIPE_CALLS_PER_SECOND: callsPerSecond, STRIPE_CONNECT_CLIENT_ID: connectClientId } = values;
  return { provider: 'stripe', secretKey, webhookSecrets, callsPerSecond, connectClientId };
}

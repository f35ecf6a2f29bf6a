import { AppError } from '../base/errors';
import { STRIPE_WEBHOOK_PATH } from '../base/public-paths';
import { receiveEvent } from '../domain/billing/provider-sync/events';
import type { App } from '../http/app-env';
import { type Runtime, systemCtx } from '../runtime/runtime';

/**
 * Receives the events of the payment provider. The signature covers the bytes as they arrived. The event is stored and
 * queued before the answer; everything else happens later, because the provider expects an answer at once.
 */
export function stripeWebhookDoor(runtime: Runtime) {
  return (app: App): void => {
    app.post(STRIPE_WEBHOOK_PATH, async (c) => {
      if (c.get('requestContext').site.kind !== 'app') return c.text('Not found.', 404);
      const signature = c.req.header('stripe-signature') ?? '';
      try {
        await receiveEvent(systemCtx(runtime, 'webhook'), { body: await c.req.text(), signature });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // Stripe shows the text to the operator
        return c.text(`${error.code}.`, error.kind === 'invalid' ? 400 : 503);
      }
      return c.text('Received.', 200, { 'cache-control': 'no-store' });
    });
    app.all(STRIPE_WEBHOOK_PATH, (c) => c.text('Method not allowed.', 405, { allow: 'POST' }));
  };
}

import type { Hono } from 'hono';
import type { SandboxContext } from '../engine/context';
import { mountCheckout } from './checkout-routes';
import { mountQuestions } from './confirmation-routes';
import { mountPapers } from './document-routes';

/** The pages that Stripe hosts: paying, the bank's question, onboarding, receipts and invoices. */
export function mountPages(app: Hono, context: SandboxContext): void {
  mountCheckout(app, context);
  mountQuestions(app, context);
  mountPapers(app, context);
}

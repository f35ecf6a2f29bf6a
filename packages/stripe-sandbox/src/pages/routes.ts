import type { Hono } from 'hono';
import type { SandboxContext } from '../engine/context';
import { mountCheckout } from './checkout-routes';
import { mountConfirmations } from './confirmation-routes';
import { mountConnect } from './connect-routes';
import { mountDocuments } from './document-routes';

/** The pages that Stripe hosts: checkout, 3-D Secure, onboarding, receipts and invoices. */
export function mountPages(app: Hono, context: SandboxContext): void {
  mountCheckout(app, context);
  mountConfirmations(app, context);
  mountDocuments(app, context);
  mountConnect(app, context);
}

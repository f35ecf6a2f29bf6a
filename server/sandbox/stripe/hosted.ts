import type { Hono } from 'hono';
import { mountCheckout } from './hosted-checkout';
import { mountPapers } from './hosted-papers';
import { mountQuestions } from './hosted-questions';
import type { Ground } from './requests';

/** The pages that Stripe hosts: paying, the bank's question, onboarding, receipts and invoices. */
export function mountPages(app: Hono, ground: Ground): void {
  mountCheckout(app, ground);
  mountQuestions(app, ground);
  mountPapers(app, ground);
}

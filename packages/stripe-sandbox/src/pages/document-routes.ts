import type { Context, Hono } from 'hono';
import type Stripe from 'stripe';
import { collectInvoice, paymentMethodFor } from '../billing/invoice-collection';
import { invoicePageUrl, invoicePdfUrl } from '../billing/invoice-lifecycle';
import { paymentIntentOf } from '../billing/invoice-payments';
import type { Work } from '../engine/account-work';
import { runWork, type SandboxContext } from '../engine/context';
import { idOf } from '../wire/objects';
import { messagePage } from './checkout-page';
import { accountOf, requestLanguage } from './checkout-routes';
import { type InvoiceView, invoicePage, invoicePdf, type ReceiptView, receiptPage } from './document-pages';
import { PAGE_HEADERS } from './layout';

import { type Language, pageLanguage } from './texts';

export function mountDocuments(app: Hono, context: SandboxContext): void {
  const notFound = (c: Context) => c.html(messagePage(requestLanguage(c), 'notFound'), 404, PAGE_HEADERS);
  app.get('/receipts/:id', async (c) => {
    const charge = await runWork(context, (work) => work.forAccount(accountOf(c)).get('charge', c.req.param('id')));
    return charge ? c.html(receiptPage(receiptView(charge, requestLanguage(c))), 200, PAGE_HEADERS) : notFound(c);
  });
  app.get('/invoices/:id', async (c) => {
    const view = await runWork(context, (work) => invoiceView(work.forAccount(accountOf(c)), c));
    return view ? c.html(invoicePage(view), 200, PAGE_HEADERS) : notFound(c);
  });
  app.get('/invoices/:id/pdf', async (c) => {
    const view = await runWork(context, (work) => invoiceView(work.forAccount(accountOf(c)), c));
    if (!view) return notFound(c);
    return c.body(invoicePdf(view), 200, { 'content-type': 'application/pdf', 'cache-control': 'no-store' });
  });
  app.post('/invoices/:id', async (c) => {
    const target = await runWork(context, (work) => payFromPage(work.forAccount(accountOf(c)), c.req.param('id')));
    return target ? c.redirect(target, 303) : notFound(c);
  });
}

function receiptView(charge: Stripe.Charge, language: Language): ReceiptView {
  const { amount, amount_refunded, currency, created, status, description, receipt_number } = charge;
  const card = charge.payment_method_details?.card;
  return {
    language,
    number: receipt_number,
    amount,
    refunded: amount_refunded,
    currency,
    date: created,
    status,
    description,
    card: `${card?.brand} ···· ${card?.last4}`,
  };
}

async function invoiceView(work: Work, c: Context): Promise<InvoiceView | null> {
  const invoice = await work.get('invoice', c.req.param('id') ?? '');
  if (!invoice) return null;
  const customer = await work.get('customer', idOf(invoice.customer) ?? '');
  const preference = c.req.query('language') ?? customer?.preferred_locales?.[0] ?? c.req.header('accept-language');
  return {
    language: pageLanguage(preference),
    number: invoice.number,
    status: invoice.status ?? 'draft',
    currency: invoice.currency,
    date: invoice.effective_at ?? invoice.created,
    lines: invoice.lines.data.map(({ description, amount, period }) => ({
      description: description ?? '',
      amount,
      ...period,
    })),
    fields: invoice.custom_fields ?? [],
    discount: (invoice.total_discount_amounts ?? []).reduce((all, { amount }) => all + amount, 0),
    balance: balanceUsed(invoice),
    due: invoice.amount_due,
    paid: invoice.amount_paid,
    pdfUrl: invoicePdfUrl(work, invoice.id),
    payable: invoice.status === 'open' && (await paymentMethodFor(work, invoice)) !== null,
  };
}

const balanceUsed = ({ starting_balance, ending_balance }: Stripe.Invoice) =>
  ending_balance === null ? 0 : starting_balance - ending_balance;

async function payFromPage(work: Work, id: string): Promise<string | null> {
  const invoice = await work.get('invoice', id);
  if (!invoice) return null;
  if (invoice.status === 'open') await collectInvoice(work, invoice, { offSession: false });
  const intent = await paymentIntentOf(work, invoice);
  return intent?.next_action?.redirect_to_url?.url ?? invoicePageUrl(work, id);
}

import { AppError } from '../base/errors';
import { MAIL_WEBHOOKS_PATH } from '../base/public-paths';
import { isSame, RejectedReport, type WebhookRequest } from '../bounces/mail-event';
import { readMailgunWebhook, readPostmarkWebhook, readSendgridWebhook } from '../bounces/provider-webhooks';
import { readSesWebhook } from '../bounces/ses-webhook';
import { receiveMessage } from '../domain/newsletter/receive-message';
import { recordMailEvents, recordReport } from '../domain/newsletter/record-mail-events';
import type { InboundMailSettings } from '../env/inbound-mail';
import { networkOf } from '../flow/rate-limits';
import type { App } from '../http/app-env';
import type { Ctx } from '../runtime/ctx';
import { type Runtime, systemCtx } from '../runtime/runtime';
import { snsCertificates } from './sns-certificates';

type Receive = (ctx: Ctx, request: WebhookRequest) => Promise<unknown>;

/**
 * Receives what mail providers report about sent emails: `POST /webhooks/mail/{provider}`, and emails
 * that a mail server hands over: `POST /webhooks/mail/message`. The signature is checked
 * first. An answer other than 200 makes a provider try again for hours, so it is given to forgeries and faults only.
 */
export function mailWebhooksDoor(runtime: Runtime, settings: InboundMailSettings) {
  const receivers = receiversOf(runtime, settings);
  return (app: App): void => {
    app.post(`${MAIL_WEBHOOKS_PATH}/:sender`, async (c) => {
      const { site, address } = c.get('requestContext');
      const receive = receivers.get(c.req.param('sender'));
      if (site.kind !== 'app' || !receive) return c.text('Not found.', 404);
      const body = Buffer.from(await c.req.arrayBuffer());
      const request = { body, header: (name: string) => c.req.header(name) ?? null, now: runtime.now() };
      try {
        await receive(systemCtx(runtime, 'mail webhook'), request);
      } catch (error) {
        if (!(error instanceof RejectedReport || error instanceof AppError)) throw error;
        const exceeded = await runtime.rateLimits.consume('rejectedReport', networkOf(address));
        if (exceeded) return c.text('Too many requests.', 429, { 'retry-after': String(exceeded.retryAfterSeconds) });
        // Amazon is away: the report comes again
        if (error instanceof AppError) return c.text(`${error.code}.`, 503);
        runtime.log.warn({ sender: c.req.param('sender'), reason: error.message }, 'mail report rejected');
        return c.text(`Rejected: ${error.message}.`, 400);
      }
      return c.text('Received.', 200, { 'cache-control': 'no-store' });
    });
    app.all(`${MAIL_WEBHOOKS_PATH}/:sender`, (c) => c.text('Method not allowed.', 405, { allow: 'POST' }));
  };
}

/** Those whose settings are there. */
function receiversOf(
  runtime: Runtime,
  { ses, postmark, mailgun, sendgrid, messageSecret }: InboundMailSettings,
): Map<string, Receive> {
  const receivers = new Map<string, Receive>();
  if (messageSecret !== null) receivers.set('message', messageReceiver(messageSecret));
  if (ses) receivers.set('ses', sesReceiver(runtime, ses));
  if (postmark)
    receivers.set('postmark', (ctx, request) => recordMailEvents(ctx, readPostmarkWebhook(request, postmark)));
  if (sendgrid)
    receivers.set('sendgrid', (ctx, request) =>
      recordMailEvents(ctx, readSendgridWebhook(request, sendgrid.publicKey)),
    );
  if (mailgun)
    receivers.set('mailgun', (ctx, request) => {
      const { token, events } = readMailgunWebhook(request, mailgun.signingKey);
      return recordReport(ctx, token, events);
    });
  return receivers;
}

/** A mail server passes on a whole email. */
function messageReceiver(secret: string): Receive {
  return (ctx, { header, body }) => {
    if (!isSame(header('authorization') ?? '', `Bearer ${secret}`)) throw new RejectedReport('the secret is wrong');
    return receiveMessage(ctx, body);
  };
}

/** Nobody needs what Amazon answers to a confirmation. */
const CONFIRMATION_BYTES = 64 * 1024;

function sesReceiver(runtime: Runtime, { topicArn }: { topicArn: string }): Receive {
  const certificateOf = snsCertificates(runtime);
  return async (ctx, request) => {
    const { events, confirmUrl } = await readSesWebhook(request, { topicArn, certificateOf });
    if (confirmUrl === null) return recordMailEvents(ctx, events);
    await ctx.ports.fetcher.fetch({ url: confirmUrl, maxBytes: CONFIRMATION_BYTES, stopsAt: () => true });
    ctx.log.info({ topicArn }, 'subscription to the topic confirmed');
  };
}

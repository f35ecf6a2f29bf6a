import { withTag } from '../../base/addresses';
import { SECONDS } from '../../base/time';
import { domainOfSender } from '../../env/mail';
import { openOnce } from '../../flow/open-once';
import type { MailPort } from './port';

export type SmtpSettings = {
  /** `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
  url: string;
  /** `Altavoz <no-reply@altavoz.example>` */
  from: string;
  /** Where bounces arrive; null if nobody reads them. */
  bounceAddress?: string | null;
  /** Another header with the email's id, for a provider that replaces the Message-ID. */
  idHeader?: string | null;
};

/** Connections kept open to the mail server. */
const CONNECTIONS = 4;
/** The job retries, so an unresponsive server must not block the worker. */
const TIMEOUTS = {
  dnsTimeout: SECONDS(10),
  connectionTimeout: SECONDS(10),
  greetingTimeout: SECONDS(10),
  socketTimeout: SECONDS(30),
};

/** Sends over any SMTP server. The Message-ID is the email's id, so that a retry is recognised as a duplicate. */
export function smtpMail({ url, from, bounceAddress = null, idHeader = null }: SmtpSettings): MailPort {
  const transport = openOnce(() => openTransport(url));
  const host = domainOfSender(from);
  return {
    async send({ id, to, subject, html, text, headers = {} }) {
      await (await transport.get()).sendMail({
        from,
        to: { name: '', address: to },
        subject,
        html,
        text,
        messageId: `<${id}@${host}>`,
        // suppresses automatic replies (RFC 3834)
        headers: { 'Auto-Submitted': 'auto-generated', ...(idHeader && { [idHeader]: id }), ...headers },
        ...(bounceAddress && { envelope: { from: withTag(bounceAddress, id), to } }),
      });
    },
    check: () => checkSmtp(url),
    domain: host,
    bounceAddress,
    close: () => transport.ifOpened((opened) => opened.close()),
  };
}

/** Loads the client with the first email, because loading it would slow down every start. */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMEOUTS,
  });
}

/** Connects and logs in, without sending anything. @throws the reason why emails can't be sent */
export async function checkSmtp(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url, disableFileAccess: true, disableUrlAccess: true, ...TIMEOUTS });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

import type { EmailContent } from './layout';

type Translate = (key: string, params?: Record<string, string | number>) => string;

/** Asks the owner of a new account to verify their email address. */
export function verifyEmailTemplate(
  translate: Translate,
  { name, url }: { name: string; url: string },
): { subject: string; content: EmailContent } {
  return {
    subject: translate('mail:verify_email.subject'),
    content: {
      heading: translate('mail:verify_email.heading', { name }),
      paragraphs: [translate('mail:verify_email.why'), translate('mail:verify_email.lifetime')],
      button: { label: translate('mail:verify_email.action'), url },
      footer: translate('mail:verify_email.footer'),
    },
  };
}

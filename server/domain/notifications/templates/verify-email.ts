import type { Letter } from './layout';

type Say = (key: string, params?: Record<string, string | number>) => string;

/** Asks whose address it is to confirm it. */
export function verifyEmailLetter(
  say: Say,
  { name, url }: { name: string; url: string },
): { subject: string; letter: Letter } {
  return {
    subject: say('mail:verify_email.subject'),
    letter: {
      heading: say('mail:verify_email.heading', { name }),
      paragraphs: [say('mail:verify_email.why'), say('mail:verify_email.lifetime')],
      button: { label: say('mail:verify_email.action'), url },
      footer: say('mail:verify_email.footer'),
    },
  };
}

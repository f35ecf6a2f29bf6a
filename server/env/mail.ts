import { z } from 'zod';
import type { UrlSettings } from '../base/urls';
import { needsOwnServices, type processShape, requireService } from './process';
import { address, text } from './setting-types';

/** `Name <address>` or an address. */
function isSender(text: string): boolean {
  const [, inside] = /^[^<>@,;\r\n]*<([^<>]+)>$/.exec(text) ?? [];
  return z.email().safeParse(inside ?? text).success;
}

export const mailShape = {
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.refine(isSender, 'must be one address, such as Altavoz <no-reply@altavoz.example>').optional(),
};
type MailValues = z.infer<z.ZodObject<typeof mailShape & typeof processShape>>;

/** `smtpUrl` null: the local inbox. */
export type MailSettings = { smtpUrl: string | null; from: string };

export function mailSettings(values: MailValues, { publicRoot }: UrlSettings): MailSettings {
  if (needsOwnServices(values)) requireService('SMTP_URL', values.SMTP_URL);
  return {
    smtpUrl: values.SMTP_URL ?? null,
    from: values.MAIL_FROM ?? `Altavoz <no-reply@${publicRoot.replace(/:\d+$/, '')}>`,
  };
}

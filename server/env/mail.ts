import { createPrivateKey } from 'node:crypto';
import { Resolver } from 'node:dns';
import fs from 'node:fs';
import { z } from 'zod';
import type { UrlSettings } from '../base/urls';
import { needsOwnServices, type processShape, requireService } from './process';
import { SettingError } from './setting-error';
import { address, list, readableFile, text } from './setting-types';

/** `Name <address>` or an address. */
function isSender(text: string): boolean {
  const [, inside] = /^[^<>@,;\r\n]*<([^<>]+)>$/.exec(text) ?? [];
  return z.email().safeParse(inside ?? text).success;
}

/** Addresses of name servers, with or without a port. */
function areServers(servers: string[]): boolean {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;

export const mailShape = {
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  MAIL_FROM: text.refine(isSender, 'must be one address, such as Altavoz <no-reply@altavoz.example>').optional(),
  DKIM_DOMAIN: text.regex(HOST_NAME, 'must be a domain, such as altavoz.example').toLowerCase().optional(),
  DKIM_SELECTOR: text.regex(HOST_NAME, 'must be a name, such as altavoz1').toLowerCase().optional(),
  DKIM_KEY: text.optional(),
  DKIM_KEY_FILE: readableFile.optional(),
  DMARC_REPORTS_TO: z.email('must be an address, such as dmarc@altavoz.example').toLowerCase().optional(),
  DNS_SERVERS: list.refine(areServers, 'must list IP addresses, such as 192.0.2.53 or [2001:db8::53]:5353').optional(),
};
type MailValues = z.infer<z.ZodObject<typeof mailShape & typeof processShape>>;

/** `privateKey` in PEM. */
export type DkimSettings = {
  domain: string;
  selector: string;
  algorithm: 'rsa-sha256' | 'ed25519-sha256';
  privateKey: string;
};
/** `smtpUrl` null: the local inbox. `dkim` null: the SMTP server signs, or nobody. */
export type MailSettings = {
  smtpUrl: string | null;
  from: string;
  dkim: DkimSettings | null;
  /** Where creators' domains have reports about their emails sent. */
  dmarcReportsTo: string;
  /** The name servers that know creators' domains. If null: those of the system in production, otherwise the local one. */
  nameServers: string[] | null;
};

export function mailSettings(values: MailValues, { publicRoot }: UrlSettings): MailSettings {
  if (needsOwnServices(values)) requireService('SMTP_URL', values.SMTP_URL);
  const from = values.MAIL_FROM ?? `Altavoz <no-reply@${publicRoot.replace(/:\d+$/, '')}>`;
  const [, host = ''] = /@([^\s>]+)/.exec(from) ?? [];
  return {
    smtpUrl: values.SMTP_URL ?? null,
    from,
    dkim: dkimSettings(values),
    dmarcReportsTo: values.DMARC_REPORTS_TO ?? `dmarc@${host.toLowerCase()}`,
    nameServers: values.DNS_SERVERS?.length ? values.DNS_SERVERS : null,
  };
}

function dkimSettings(values: MailValues): DkimSettings | null {
  const { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_KEY: key, DKIM_KEY_FILE: file } = values;
  if (!domain && !selector && !key && !file) return null;
  if (!domain || !selector || Boolean(key) === Boolean(file)) {
    throw new SettingError('DKIM_DOMAIN, DKIM_SELECTOR and one of DKIM_KEY and DKIM_KEY_FILE are only valid together');
  }
  // a value on one line has `\n` for line breaks
  const privateKey = file ? fs.readFileSync(file, 'utf8') : (key ?? '').replaceAll('\\n', '\n');
  return { domain, selector, algorithm: algorithmOf(privateKey, file ? 'DKIM_KEY_FILE' : 'DKIM_KEY'), privateKey };
}

/** Receivers reject shorter keys (RFC 8301 §3.2). */
const MIN_RSA_BITS = 2048;

function algorithmOf(privateKey: string, name: string): DkimSettings['algorithm'] {
  const key = readKey(privateKey);
  if (key?.asymmetricKeyType === 'ed25519') return 'ed25519-sha256';
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS) return 'rsa-sha256';
  throw new SettingError(`${name} must be a private key in PEM: RSA with at least ${MIN_RSA_BITS} bits, or Ed25519`);
}

function readKey(privateKey: string) {
  try {
    return createPrivateKey(privateKey);
  } catch {
    return null;
  }
}

/** The domain of a sender such as `Altavoz <no-reply@altavoz.example>`. */
export const domainOfSender = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

import { domainToASCII } from 'node:url';
import { getDomain, getPublicSuffix } from 'tldts';
import { DOMAIN_LIMITS } from '../limits/newsletter';

export type DomainFault = 'invalid' | 'platform' | 'mailbox';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** Names that DNS never has (RFC 6761, 6762, 7686, 8375 and ICANN's list). */
const LOCAL_ENDINGS = ['localhost', 'local', 'internal', 'onion', 'arpa', 'invalid', 'lan'];
/** Put in front, since newer releases of Node convert names in ASCII without a look at their encoded labels (`xn--a`). */
const NOT_ASCII = 'é.';
const NOT_ASCII_LENGTH = domainToASCII(NOT_ASCII).length;
/** The names that providers of mailboxes have in many countries, such as `yahoo.es`. */
const MAILBOX_NAMES = new Set(['gmail', 'googlemail', 'hotmail', 'yahoo', 'ymail', 'rocketmail']);
const MAILBOX_DOMAINS = new Set(
  (
    'aol.com fastmail.com free.fr gmx.at gmx.ch gmx.com gmx.de gmx.es gmx.net hey.com icloud.com inbox.com laposte.net ' +
    'libero.it live.co.uk live.com live.com.mx live.fr live.nl mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com ' +
    'orange.fr outlook.at outlook.com outlook.com.br outlook.de outlook.es outlook.fr outlook.it outlook.pt pm.me ' +
    'posteo.de proton.me protonmail.com qq.com rediffmail.com sfr.fr t-online.de telefonica.net terra.com.br tuta.com tutanota.com uol.com.br ' +
    'web.de yandex.com yandex.ru zoho.com 126.com 163.com'
  ).split(' '),
);

/**
 * The domain in a text, in lower case and ASCII. People also paste addresses of emails and of websites. Null if the text
 * is none that emails can come from.
 */
export function readDomain(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.length > 4 * DOMAIN_LIMITS.domainLength || /[\s\p{Cc}]/u.test(trimmed)) return null;
  const host = trimmed
    .replace(/^https?:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '');
  if (/[:%[\]\\]/.test(host)) return null;
  const domain = domainToASCII(`${NOT_ASCII}${host}`).slice(NOT_ASCII_LENGTH);
  const labels = domain.split('.');
  // IP addresses end in digits
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
  if (!isName || domain.length > DOMAIN_LIMITS.domainLength) return null;
  if (LOCAL_ENDINGS.includes(labels.at(-1)!) || getPublicSuffix(domain, { allowPrivateDomains: true }) === domain)
    return null;
  return domain;
}

/** @param platform the domains of this installation: nobody else may send from them, nor from those above or below */
export function faultOf(domain: string, platform: readonly string[]): Exclude<DomainFault, 'invalid'> | null {
  if (platform.some((own) => isWithin(domain, own) || isWithin(own, domain))) return 'platform';
  const organization = organizationOf(domain);
  const isMailbox = MAILBOX_DOMAINS.has(organization) || MAILBOX_NAMES.has(organization.split('.')[0]!);
  return isMailbox ? 'mailbox' : null;
}

/** The domain that somebody has registered: `example.co.uk` for `news.example.co.uk`. */
export const organizationOf = (domain: string): string => getDomain(domain, { allowPrivateDomains: true }) ?? domain;

const isWithin = (domain: string, above: string): boolean => domain === above || domain.endsWith(`.${above}`);

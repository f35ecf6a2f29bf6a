import type { RecordName } from '../base/sending-records';
import { organizationOf } from './domain-name';

/** The name below which the return path of a domain is. */
const RETURN_PATH_LABEL = 'altavoz';

/** What the records of one domain depend on. `mailDomain`: to which bounces return. `reportsTo`: an email address. */
export type DomainFacts = {
  domain: string;
  selector: string;
  /** RSA in base64 (SPKI in DER). */
  publicKey: string;
  mailDomain: string;
  reportsTo: string;
};

export type WantedRecord = { name: RecordName; type: 'TXT' | 'CNAME'; host: string; value: string };

export const dkimHost = ({ domain, selector }: Pick<DomainFacts, 'domain' | 'selector'>): string =>
  `${selector}._domainkey.${domain}`;
/** The host of the return path. Its CNAME brings the platform's SPF and MX, so that both stay right if they change. */
export const returnPathHost = (domain: string): string => `${RETURN_PATH_LABEL}.${domain}`;
/** DMARC is looked up at the domain itself, then at the registered one (RFC 7489 §6.6.3). */
export const dmarcHosts = (domain: string): string[] =>
  [...new Set([domain, organizationOf(domain)])].map((name) => `_dmarc.${name}`);

/** The three records that a domain must have before emails come from it. */
export function wantedRecords(facts: DomainFacts): WantedRecord[] {
  const { domain, publicKey, mailDomain, reportsTo } = facts;
  return [
    { name: 'dkim', type: 'TXT', host: dkimHost(facts), value: `v=DKIM1; k=rsa; p=${publicKey}` },
    { name: 'returnPath', type: 'CNAME', host: returnPathHost(domain), value: mailDomain },
    { name: 'dmarc', type: 'TXT', host: `_dmarc.${domain}`, value: `v=DMARC1; p=none; rua=mailto:${reportsTo}` },
  ];
}

const STRING_LENGTH = 255;

/** A TXT value as zone files have it: strings of at most 255 bytes, in quotation marks (RFC 1035 §3.3). */
export function zoneText(value: string): string {
  const parts = value.match(new RegExp(`.{1,${STRING_LENGTH}}`, 'g')) ?? [''];
  return parts.map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`).join(' ');
}

/** `lost`: it was verified, and its records have disappeared since. Emails leave from the platform's domain then. */
export const DOMAIN_STATES = ['pending', 'verified', 'lost'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export const RECORD_NAMES = ['dkim', 'returnPath', 'dmarc'] as const;
export type RecordName = (typeof RECORD_NAMES)[number];

/**
 * What DNS has of one record. `quoted`: right but for the quotation marks that were entered with it. `several`: more than
 * one, of which receivers accept none.
 */
export type RecordState = 'unchecked' | 'found' | 'missing' | 'wrong' | 'several' | 'quoted';

/**
 * `texts`: what was found, cut short. `inherited`: the DMARC record is that of this domain above. `reports`: whether it
 * sends reports to the platform.
 */
export type RecordReading = { state: RecordState; texts: string[]; inherited?: string; reports?: boolean };
export type DomainReadings = Record<RecordName, RecordReading>;

import { createHash, timingSafeEqual } from 'node:crypto';

/** What happened to an email after a server had accepted it. */
export type MailEvent = {
  kind: 'bounce' | 'complaint' | 'delivery';
  /** With `bounce`: the address does not exist. */
  isHard: boolean;
  /** As written by the sender of the report: compare it without regard to case. Null if a complaint leaves it out. */
  email: string | null;
  /** With `bounce`: the enhanced status code (RFC 3463), if the report has one. */
  status?: string;
  /** Ours, `id@domain` without angle brackets, or the address that it was sent from; null if the report names neither. */
  messageId: string | null;
  at: Date;
};

/** Thrown for a report that is forged, old, about something else, or too large. */
export class RejectedReport extends Error {}

/** A request of a mail provider. `body` has the bytes as they came, because they are signed. */
export type WebhookRequest = {
  body: Buffer;
  /** Null if there is no such header. The name may have any case. */
  header(name: string): string | null;
  now: Date;
};

export const MAX_REPORT_BYTES = 1024 * 1024;
/** Providers try for hours to deliver a report. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const MAX_AHEAD_MS = 5 * 60 * 1000;

/** @throws RejectedReport */
export function checkAge(at: Date, now: Date): void {
  const age = now.getTime() - at.getTime();
  if (!(age <= MAX_AGE_MS && age >= -MAX_AHEAD_MS)) throw new RejectedReport('the report is old');
}

/** @throws RejectedReport */
export function checkSize(body: Buffer): void {
  if (body.length > MAX_REPORT_BYTES) throw new RejectedReport('the report is too large');
}

/** @throws RejectedReport */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RejectedReport('the report is not JSON');
  }
}

const ADDRESS = /^[^\s<>]{1,64}@[^\s<>@]{1,255}$/;

/** The address of `Ana <ana@reader.example>` or `<ana@reader.example>`; null if there is none. */
export function addressIn(text: string | null | undefined): string | null {
  const address = /<([^<>]*)>\s*$/.exec(text ?? '')?.[1] ?? text?.trim() ?? '';
  return ADDRESS.test(address) ? address : null;
}

/** The first enhanced status code of a text, as a part of an event. */
export function statusIn(...texts: (string | undefined)[]): { status?: string } {
  const [status] = texts.flatMap((text) => /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(text ?? '')?.[0] ?? []);
  return status === undefined ? {} : { status };
}

/** `<id@domain>` without the brackets. */
export function messageIdIn(text: string | null | undefined): string | null {
  const id = text?.trim().replace(/^<|>$/g, '') ?? '';
  return /^[!-;=?-~]{1,900}$/.test(id) ? id : null;
}

/** Takes the same time for every wrong text. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

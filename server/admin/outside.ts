import { resolve4, resolve6, resolveMx, resolveTxt } from 'node:dns/promises';
import tls from 'node:tls';
import { checkSmtp } from '../adapters/mail/smtp';
import type { PaymentsPort } from '../adapters/payments/port';
import { openAccess, SPOTIFY_HOSTS } from '../adapters/spotify/open-access';
import type { OpenAccess } from '../adapters/spotify/port';
import { SECONDS } from '../base/time';
import type { Env } from '../env/read';
import { realPayments } from '../runtime/select-payments';

const PATIENCE = SECONDS(10);

/** `fault`: why a browser would reject it; null if it wouldn't. */
export type Certificate = { validTo: Date; fault: string | null };

/**
 * The servers that the doctor asks. Tests pass answers of their own. A name without records gives an empty list, not an
 * error.
 */
export type Outside = {
  addresses(host: string): Promise<string[]>;
  texts(host: string): Promise<string[]>;
  mailServers(host: string): Promise<string[]>;
  certificate(host: string, port: number): Promise<Certificate>;
  /** The status and the `Date` of an answer. */
  fetch(url: string): Promise<{ status: number; date: Date | null }>;
  logInToSmtp(url: string): Promise<void>;
  /** Null if no real payments are set up. */
  payments(env: Env): PaymentsPort | null;
  /** Null without a contract with Spotify. */
  spotify(env: Env): OpenAccess | null;
  now(): Date;
};

export const realOutside: Outside = {
  addresses: async (host) => (await Promise.all([records(resolve4(host)), records(resolve6(host))])).flat(),
  texts: async (host) => (await records(resolveTxt(host))).map((parts) => parts.join('')),
  mailServers: async (host) => (await records(resolveMx(host))).map(({ exchange }) => exchange),
  certificate: readCertificate,
  async fetch(url) {
    const { status, headers } = await fetch(reachable(url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    const date = headers.get('date');
    return { status, date: date ? new Date(date) : null };
  },
  logInToSmtp: checkSmtp,
  payments: ({ payments, production }) => realPayments(payments, { production }),
  spotify: ({ spotify }) =>
    spotify === null || spotify === 'sandbox' ? null : openAccess(spotify, SPOTIFY_HOSTS, { fetch }),
  now: () => new Date(),
};

/** Browsers open names below `localhost` on this machine, but not every resolver knows them. */
function reachable(url: string): URL {
  const at = new URL(url);
  if (at.hostname.endsWith('.localhost')) at.hostname = 'localhost';
  return at;
}

async function records<T>(found: Promise<T[]>): Promise<T[]> {
  try {
    return await found;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Works for every server, even if browsers would not trust it. */
function readCertificate(host: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port, servername: host, rejectUnauthorized: false, timeout: PATIENCE }, () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const { authorizationError } = socket as { authorizationError?: Error | string };
      socket.end();
      resolve({ validTo: new Date(validTo), fault: authorizationError ? String(authorizationError) : null });
    });
    socket.on('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.on('error', reject);
  });
}

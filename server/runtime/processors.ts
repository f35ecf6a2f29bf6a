import { bareHost, isPublicHost } from '../adapters/feed-fetcher/addresses';
import type { Env } from '../env/read';
import type { Processor } from './ctx';

type Settings = Pick<
  Env,
  | 'database'
  | 'mail'
  | 'storage'
  | 'payments'
  | 'transcription'
  | 'languageModel'
  | 'statistics'
  | 'spotify'
  | 'tracing'
>;

/**
 * The services that process personal data for the operator, as far as the settings know them. Services on this machine
 * or in its private network belong to the operator. The settings do not know who hosts the machine, and who keeps its
 * backups and logs.
 */
export function processorsOf(env: Settings): Processor[] {
  const { database, mail, storage, payments, transcription, languageModel, statistics, spotify, tracing } = env;
  const speech = transcription && 'url' in transcription ? transcription.url : null;
  return [
    ...at('database', database.url),
    ...at('email', mail.smtpUrl),
    ...(storage.driver === 's3' ? at('storage', storage.s3.endpoint ?? AMAZON) : []),
    ...(payments.provider === 'stripe' ? [{ kind: 'payments', name: 'Stripe' } as const] : []),
    ...at('transcription', speech),
    ...at('suggestions', languageModel?.url ?? null),
    ...at('statistics', statistics?.url ?? null),
    ...(spotify !== null && spotify !== 'sandbox' ? [{ kind: 'spotify', name: 'Spotify' } as const] : []),
    ...at('tracing', tracing?.endpoint ?? null),
  ];
}

const AMAZON = 'https://s3.amazonaws.com';

function at(kind: Processor['kind'], url: string | null): Processor[] {
  const host = url === null ? '' : bareHost(new URL(url));
  return isPublicHost(host, {}) ? [{ kind, name: host }] : [];
}

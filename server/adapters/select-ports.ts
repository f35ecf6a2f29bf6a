import postgres from 'postgres';
import { conformInWorker } from '../audio/in-worker';
import type { Ports } from '../ctx';
import type { Env } from '../env/read';
import type { Log } from '../log';
import { startSmtpCatcher } from '../sandbox/inbox/catcher';
import { type Messages, openMessages } from '../sandbox/inbox/messages';
import type { StripeSandbox } from '../sandbox/stripe/sandbox';
import type { Urls } from '../urls';
import { chooseFetcher } from './feed-fetcher/lazy-fetcher';
import { smtpMail } from './mail/smtp';
import { selectPayments } from './select-payments';
import { chooseStore } from './storage/chosen';

export type SelectedPorts = {
  far: Ports;
  /** What the local inbox holds; null where mail really goes out. */
  inbox: Messages | null;
  /** The stand-in for Stripe; null where there is none. */
  stripeSandbox: StripeSandbox | null;
  close(): Promise<void>;
};

type Surroundings = { databaseUrl: string; urls: Urls; log: Log };

/** The far ends that the settings ask for; what is not set gets its stand-in of server/sandbox, spoken to over the wire. */
export async function selectPorts(env: Env, { databaseUrl, urls, log }: Surroundings): Promise<SelectedPorts> {
  const storage = await chooseStore(env.storage, (key) => urls.app(`/uploads/form/${key}`));
  const { smtpUrl, from } = env.mail;
  const local = smtpUrl ? null : await openInbox(databaseUrl, log);
  const mail = smtpMail({ url: smtpUrl ?? local?.url ?? '', from });
  const { production } = env;
  const chosen = await selectPayments(env.payments, { databaseUrl, urls, log, production });
  const fetcher = chooseFetcher(env.fetcher);
  return {
    far: { storage, mail, payments: chosen.payments, fetcher, conformClip: clipConformer(env) },
    inbox: local?.messages ?? null,
    stripeSandbox: chosen.sandbox,
    async close() {
      mail.close();
      await fetcher.close();
      await chosen.close();
      await local?.close();
    },
  };
}

const clipConformer =
  ({ ffmpegPath }: Env): Ports['conformClip'] =>
  (clip, target) =>
    conformInWorker(clip, target, { ffmpegPath });

/** On connections of its own, since Drizzle changes how those of the app read dates. */
async function openInbox(databaseUrl: string, log: Log) {
  const client = postgres(databaseUrl, { max: 2, onnotice: () => {} });
  const messages = await openMessages(client);
  const catcher = await startSmtpCatcher(messages, log);
  return {
    messages,
    url: catcher.url,
    async close() {
      await catcher.close();
      await client.end({ timeout: 5 });
    },
  };
}

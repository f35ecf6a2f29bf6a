import path from 'node:path';
import type postgres from 'postgres';
import type { StripeSandbox } from 'stripe-sandbox';
import type { Database, DatabaseAddress } from '~/db/client';
import { openPool } from '~/db/driver/pool';
import { audioConverter } from '../adapters/converter/ffmpeg-converter';
import { videoEncoder } from '../adapters/converter/video-encoder';
import { lazyFetcher } from '../adapters/feed-fetcher/lazy-fetcher';
import { ipDatabases } from '../adapters/geo/ip-databases';
import { bulkSmtpMail } from '../adapters/mail/bulk/bulk-mail';
import { imapMailbox } from '../adapters/mail/mailbox';
import { smtpMail } from '../adapters/mail/smtp';
import { podpingGateway } from '../adapters/podping/gateway';
import { espeak } from '../adapters/speech/espeak';
import { selectStore } from '../adapters/storage/select-store';
import { isDataCenter } from '../agents/data-centers';
import { timeInThread } from '../alignment/time-in-thread';
import { conformInWorker, measureInWorker } from '../audio/in-worker';
import { startThread } from '../audio/thread';
import { ConverterUnavailable } from '../base/errors';
import type { Urls } from '../base/urls';
import { POSTMARK_ID_HEADER } from '../bounces/provider-webhooks';
import type { Env } from '../env/read';
import { createSlots } from '../flow/slots';
import type { Messages } from '../sandbox/inbox/messages';
import type { Log } from '../watching/log';
import type { Ports } from './ctx';
import { type SelectedDns, selectDns } from './select-dns';
import { type SelectedIdentity, selectIdentity } from './select-identity';
import { selectLanguageModel } from './select-language-model';
import { type SandboxWebhooks, selectPayments } from './select-payments';
import { type SelectedSpotify, selectSpotify } from './select-spotify';
import { selectStatistics } from './select-statistics';
import { type SelectedTranscriber, selectTranscriber } from './select-transcriber';
import { selectVatNumbers } from './select-vat-numbers';

export type SelectedPorts = {
  ports: Ports;
  /** The local inbox; null if real emails are sent. */
  inbox: Messages | null;
  /** Null unless payments use the sandbox. */
  stripeSandbox: StripeSandbox | null;
  /** Null in production, and if every provider is real. */
  identitySandbox: SelectedIdentity['sandbox'];
  /** Null in production, and with a contract. */
  spotifySandbox: SelectedSpotify['sandbox'];
  /** The records of the local name server; null if real ones are asked. */
  dnsZone: SelectedDns['zone'];
  /** Null unless the local engine transcribes. */
  transcriberSandbox: SelectedTranscriber['sandbox'];
  close(): Promise<void>;
};

type Environment = {
  database: DatabaseAddress;
  urls: Urls;
  log: Log;
  /** The address at which sandboxes reach this installation; null if it does not listen. */
  webhooks: SandboxWebhooks | null;
  /** Counts the calls to the payment provider, of all processes together. */
  client: postgres.Sql;
  /** What statistics read. */
  db: Database;
};

/** Connects the ports that the settings name; the others use a local sandbox (server/sandbox) over the wire. */
export async function selectPorts(env: Env, environment: Environment): Promise<SelectedPorts> {
  const { database, urls, log, db } = environment;
  const storage = await selectStore(env.storage, (key) => urls.app(`/uploads/form/${key}`), log);
  const { smtpUrl, from, dkim } = env.mail;
  const localInbox = smtpUrl ? null : await openInbox(database, log);
  const url = smtpUrl ?? localInbox?.url ?? '';
  const { address: bounceAddress, postmark, mailbox } = env.inboundMail;
  const idHeader = postmark ? POSTMARK_ID_HEADER : null;
  const mail = smtpMail({ url, from, bounceAddress, idHeader });
  const bulkMail = bulkSmtpMail({ url, dkim, startDkimThread, idHeader });
  const { production } = env;
  const selected = await selectPayments(env.payments, { ...environment, production });
  const fetcher = lazyFetcher(env.fetcher);
  const selectedStatistics = selectStatistics(env.statistics, { db, log });
  const selectedDns = selectDns({ production, nameServers: env.mail.nameServers }, environment.client);
  const { transcriber, sandbox: transcriberSandbox } = selectTranscriber(env.transcription);
  const languageModel = selectLanguageModel(env.languageModel);
  const { identity, sandbox: identitySandbox } = selectIdentity(env.identity, urls);
  const { spotify, sandbox: spotifySandbox } = selectSpotify(env.spotify, environment);
  return {
    ports: {
      storage,
      mail,
      bulkMail,
      mailbox: mailbox ? imapMailbox(mailbox) : null,
      dns: selectedDns.dns,
      payments: selected.payments,
      fetcher,
      podping: env.podping && podpingGateway(env.podping, fetcher),
      geo: ipDatabases({ countries: env.ipCountryDatabase, networks: env.ipNetworkDatabase }, isDataCenter),
      identity,
      spotify,
      statistics: selectedStatistics.statistics,
      vatNumbers: selectVatNumbers(env).vatNumbers,
      transcriber,
      languageModel,
      conformClip: clipConformer(env),
      measureSound: measureInWorker,
      speech: env.espeakPath ? espeak(env.espeakPath) : null,
      timeText: timeInThread,
      ...selectConverter(env),
    },
    inbox: localInbox?.messages ?? null,
    stripeSandbox: selected.sandbox,
    identitySandbox,
    spotifySandbox,
    dnsZone: selectedDns.zone,
    transcriberSandbox,
    async close() {
      await mail.close();
      await bulkMail.close();
      await selectedDns.dns.close();
      await fetcher.close();
      await transcriber?.close();
      await languageModel?.close();
      await selected.close();
      await selectedStatistics.close();
      await localInbox?.close();
    },
  };
}

const startDkimThread = () =>
  startThread({ built: 'dkim-thread', source: new URL('../adapters/mail/bulk/dkim-thread.ts', import.meta.url) }, {});

const clipConformer =
  ({ ffmpegPath }: Env): Ports['conformClip'] =>
  (clip, target) =>
    conformInWorker(clip, target, { ffmpegPath });

/** Each keeps a core busy, so a conversion and a video may run at the same time, but no two of either. */
function selectConverter({ ffmpegPath: program, dataDir }: Env): Pick<Ports, 'convertAudio' | 'encodeVideo'> {
  const folder = path.join(dataDir, 'conversions');
  if (program)
    return {
      convertAudio: audioConverter({ program, folder, withSlot: createSlots(1) }),
      encodeVideo: videoEncoder({ program, folder, withSlot: createSlots(1) }),
    };
  return {
    convertAudio: () => Promise.reject(new ConverterUnavailable('FFMPEG_PATH is not set')),
    encodeVideo: null,
  };
}

/** Uses its own connections, so that emails arrive even while the others are busy. Imported only when needed. */
async function openInbox({ url, prepare }: DatabaseAddress, log: Log) {
  const [{ startSmtpCatcher }, { openMessages }] = await Promise.all([
    import('../sandbox/inbox/catcher'),
    import('../sandbox/inbox/messages'),
  ]);
  const { client, close } = openPool(url, { max: 2, prepare, patient: true });
  const messages = await openMessages(client);
  const catcher = await startSmtpCatcher(messages, log);
  return {
    messages,
    url: catcher.url,
    async close() {
      await catcher.close();
      await close();
    },
  };
}

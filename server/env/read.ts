import fs from 'node:fs';
import { z } from 'zod';
import type { UrlSettings } from '../base/urls';
import { type DatabaseSettings, databaseSettings, databaseShape } from './database';
import { type FetchSettings, fetchSettings, fetchShape, podpingSettings } from './feed-fetcher';
import { type HomeSettings, homeSettings, homeShape } from './home';
import { type HttpSettings, httpSettings, httpShape } from './http';
import { type IdentitySettings, identitySettings, identityShape } from './identity';
import { type InboundMailSettings, inboundMailSettings, inboundMailShape } from './inbound-mail';
import { type LanguageModelSettings, languageModelSettings, languageModelShape } from './language-model';
import { domainOfSender, type MailSettings, mailSettings, mailShape } from './mail';
import { describeMisspelt, misspeltSettings } from './misspelt';
import { type BankSettings, bankSettings, operatorShape, type SupportSettings, supportSettings } from './operator';
import { type PaymentSettings, paymentSettings, paymentShape } from './payments';
import { type ProcessSettings, processSettings, processShape } from './process';
import { SettingError } from './setting-error';
import { program, programOnPath, readableFile } from './setting-types';
import { type SpotifySettings, spotifySettings, spotifyShape } from './spotify';
import { type StatisticsSettings, statisticsSettings, statisticsShape } from './statistics';
import {
  type BackupStorageSettings,
  backupStorageSettings,
  type StorageSettings,
  storageSettings,
  storageShape,
} from './storage';
import { type TracingSettings, tracingSettings, tracingShape } from './tracing';
import { trackingShape } from './tracking';
import { type TranscriptionSettings, transcriptionSettings, transcriptionShape } from './transcription';
import { urlSettings, urlShape } from './urls';
import { settingWarnings } from './warnings';

/** Every setting; `.env.example` documents each. An empty setting counts as unset. */
const schema = z.object({
  ...processShape,
  ...httpShape,
  ...databaseShape,
  ...urlShape,
  ...homeShape,
  ...operatorShape,
  ...storageShape,
  ...mailShape,
  ...inboundMailShape,
  FFMPEG_PATH: program.optional(),
  ESPEAK_PATH: program.optional(),
  IP_COUNTRY_DATABASE: readableFile.optional(),
  IP_NETWORK_DATABASE: readableFile.optional(),
  AGENTS_FILE: readableFile.optional(),
  ...paymentShape,
  ...identityShape,
  ...spotifyShape,
  ...fetchShape,
  ...trackingShape,
  ...statisticsShape,
  ...transcriptionShape,
  ...languageModelShape,
  ...tracingShape,
});
type EnvValues = z.infer<typeof schema>;

/** Former names. Ignoring them silently could start production with other settings than intended. */
const RENAMED_SETTINGS: Record<string, string> = { ALLOW_DEV_STANDINS: 'ALLOW_DEV_FALLBACKS' };

export const SETTING_NAMES = Object.keys(schema.shape);

export type Env = ProcessSettings &
  HttpSettings &
  HomeSettings & {
    database: DatabaseSettings;
    urls: UrlSettings;
    storage: StorageSettings;
    backupS3: BackupStorageSettings;
    mail: MailSettings;
    inboundMail: InboundMailSettings;
    support: SupportSettings;
    /** Null if files for the bank cannot be written. */
    bank: BankSettings | null;
    /** A system FFmpeg with LAME. If null, only MP3 is accepted, and clips are encoded in WebAssembly. */
    ffmpegPath: string | null;
    /** A system espeak-ng. If null, words of transcripts get only rough times. */
    espeakPath: string | null;
    /** A MaxMind DB file with countries, or with countries and regions. Null for the packaged one. */
    ipCountryDatabase: string | null;
    /** A MaxMind DB file with autonomous systems. If null, data centres are not recognised. */
    ipNetworkDatabase: string | null;
    /** The operator's own table of podcast apps, bots and networks (server/agents/table.ts), used before ours. */
    agentsFile: string | null;
    stripePublishableKey: string | null;
    /** A Google Tag Manager container. If null, nothing is tracked, and visitors are not asked for consent. */
    gtmId: string | null;
    payments: PaymentSettings;
    identity: IdentitySettings;
    spotify: SpotifySettings;
    /** Production with sandbox payments: every page states that no real money moves. */
    simulatesPayments: boolean;
    fetcher: FetchSettings;
    /** A WebSub hub. If null, podcast apps find new episodes by polling. */
    webSubHub: string | null;
    /** The gateway to Podping. Null if it is not used. */
    podping: { url: string; token: string } | null;
    statistics: StatisticsSettings;
    /** Null if episodes are not transcribed. */
    transcription: TranscriptionSettings;
    /** Null if no suggestions are made. */
    languageModel: LanguageModelSettings;
    /** Null if nothing is traced. */
    tracing: TracingSettings | null;
    /** Settings that are probably mistakes, one line each. */
    warnings: string[];
  };

/** `isAdmin`: a command of operators, which receives no webhooks; one creates the secrets that other processes need. */
type Purpose = { isAdmin?: boolean };

/** The settings of this process: its environment, which overrides a `.env` file. @throws SettingError */
export function readEnv(purpose: Purpose = {}): Env {
  if (fs.existsSync('.env')) process.loadEnvFile('.env');
  return parseEnv(process.env, purpose);
}

/** @throws SettingError that names every malformed setting, or one that is renamed, unsafe or missing in production. */
export function parseEnv(source: Record<string, string | undefined>, purpose: Purpose = {}): Env {
  for (const [old, name] of Object.entries(RENAMED_SETTINGS))
    if (source[old]?.trim()) throw new SettingError(`${old} is now called ${name}: rename it`);
  const misspelt = misspeltSettings(source, SETTING_NAMES).map(describeMisspelt);
  try {
    const env = toEnv(parseValues(source), purpose);
    return { ...env, warnings: [...misspelt, ...settingWarnings(env)] };
  } catch (error) {
    // the misspelt name is probably the reason why another one is missing
    if (error instanceof SettingError && misspelt.length > 0)
      throw new SettingError([error.message, ...misspelt].join('. '));
    throw error;
  }
}

function parseValues(source: Record<string, string | undefined>): EnvValues {
  const input = Object.fromEntries(SETTING_NAMES.map((name) => [name, source[name]?.trim() || undefined]));
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new SettingError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '));
}

function toEnv(values: EnvValues, { isAdmin = false }: Purpose): Omit<Env, 'warnings'> {
  const urls = urlSettings(values);
  const shared = processSettings(values);
  const payments = paymentSettings(values, { needsSecrets: !isAdmin });
  const mail = mailSettings(values, urls);
  return {
    ...shared,
    ...httpSettings(values),
    ...homeSettings(values),
    urls,
    database: databaseSettings(values),
    storage: storageSettings(values, shared.dataDir),
    backupS3: backupStorageSettings(values),
    mail,
    inboundMail: inboundMailSettings(values, domainOfSender(mail.from)),
    support: supportSettings(values, urls),
    bank: bankSettings(values),
    ffmpegPath: values.FFMPEG_PATH ?? null,
    espeakPath: values.ESPEAK_PATH ?? programOnPath('espeak-ng'),
    ipCountryDatabase: values.IP_COUNTRY_DATABASE ?? null,
    ipNetworkDatabase: values.IP_NETWORK_DATABASE ?? null,
    agentsFile: values.AGENTS_FILE ?? null,
    stripePublishableKey: values.STRIPE_PUBLISHABLE_KEY ?? null,
    gtmId: values.GTM_ID ?? null,
    payments,
    identity: identitySettings(values),
    spotify: spotifySettings(values),
    simulatesPayments: shared.production && payments.provider === 'sandbox',
    fetcher: fetchSettings(values, urls),
    webSubHub: values.WEBSUB_HUB ?? null,
    podping: podpingSettings(values),
    statistics: statisticsSettings(values),
    transcription: transcriptionSettings(values),
    languageModel: languageModelSettings(values),
    tracing: tracingSettings(values),
  };
}

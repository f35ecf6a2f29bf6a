import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '../adapters/storage/port';
import { DAYS, SECONDS } from '../base/time';
import type { Env } from '../env/read';
import { type Finding, ok, problem, warning } from './finding';
import type { Outside } from './outside';

const RENEWAL = DAYS(14);
const CLOCK_TOLERANCE = SECONDS(5);
/** A host name without a creator: it shows whether the wildcard works. */
const PROBE = 'doctor-probe';

/** The hosts that visitors open, local ones excepted: the app, and any creator’s if creators have hosts. */
export function publicHosts({ urls }: Pick<Env, 'urls'>): string[] {
  const app = new URL(urls.appUrl).hostname;
  const creator = `${urls.creatorHostPrefix}${PROBE}.${urls.publicRoot.replace(/:\d+$/, '')}`;
  return [app, ...(urls.creatorUrls === 'host' ? [creator] : [])].filter((host) => !/(?:^|\.)localhost$/.test(host));
}

const shown = (host: string) => host.replace(PROBE, '*');

export async function checkNames(host: string, outside: Outside): Promise<Finding> {
  const addresses = await outside.addresses(host);
  if (addresses.length > 0) return ok('dns', `${shown(host)} is at ${addresses.join(', ')}`);
  return problem(
    'dns',
    `${shown(host)} has no address: add A and AAAA records, or set CREATOR_URLS=path for no wildcard`,
  );
}

export async function checkCertificate(host: string, port: number, outside: Outside): Promise<Finding> {
  const { validTo, fault } = await outside.certificate(host, port);
  const day = validTo.toISOString().slice(0, 10);
  if (fault) return problem('tls', `browsers reject the certificate of ${shown(host)}: ${fault}`);
  if (validTo.getTime() - outside.now().getTime() < RENEWAL)
    return warning('tls', `the certificate of ${shown(host)} ends on ${day}: see why it is not renewed`);
  return ok('tls', `the certificate of ${shown(host)} is valid until ${day}`);
}

/** Checks the site as visitors reach it, and compares the clock of this machine with that of the answer. */
export async function checkSite(appUrl: string, outside: Outside): Promise<Finding[]> {
  const { status, date } = await outside.fetch(`${appUrl}/healthz`);
  const site =
    status === 200
      ? ok('site', `${appUrl} answers`)
      : problem(
          'site',
          `${appUrl}/healthz answers ${status}: see whether a process runs, and what the proxy passes on`,
        );
  return date ? [site, checkClock('APP_URL', date, outside.now(), SECONDS(1))] : [site];
}

/** @param precision of `time`, in milliseconds */
export function checkClock(whose: string, time: Date, now: Date, precision = 0): Finding {
  const apart = Math.abs(time.getTime() - now.getTime()) / 1000;
  if (apart * 1000 <= CLOCK_TOLERANCE + precision) return ok('clock', `agrees with ${whose}`);
  return problem('clock', `differs from ${whose} by ${Math.round(apart)} s: synchronise both with NTP`);
}

export async function checkStorage(store: ObjectStore, driver: string): Promise<Finding> {
  const key = `images/doctor-${randomBytes(8).toString('hex')}`;
  const body = randomBytes(32);
  try {
    await store.put(key, body, { contentType: 'application/octet-stream' });
    const chunks: Buffer[] = [];
    for await (const chunk of await store.read(key)) chunks.push(Buffer.from(chunk));
    const isSame = Buffer.concat(chunks).equals(body);
    return isSame
      ? ok('storage', `${driver} writes, reads and deletes`)
      : problem('storage', `${driver} returns other bytes`);
  } finally {
    await store.remove(key);
  }
}

export async function checkSmtpServer(url: string, outside: Outside): Promise<Finding> {
  await outside.logInToSmtp(url);
  return ok('smtp', 'the server accepts our login');
}

/** Checks what receivers look up about the sender. DKIM has a selector that only the mail server knows. */
export async function checkSender(from: string, outside: Outside): Promise<Finding[]> {
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? '';
  const [texts, policies, servers] = await Promise.all([
    outside.texts(domain),
    outside.texts(`_dmarc.${domain}`),
    outside.mailServers(domain),
  ]);
  const senders = texts.filter((text) => /^v=spf1\b/i.test(text));
  const policy = policies.find((text) => /^v=DMARC1\b/i.test(text));
  return [
    senders.length === 1
      ? ok('spf', `${domain}: ${senders[0]}`)
      : problem(
          'spf',
          `${domain} has ${senders.length || 'no'} SPF record${senders.length > 1 ? 's' : ''}: one must list the mail server, such as v=spf1 mx -all`,
        ),
    policy
      ? ok('dmarc', `${domain}: ${policy}`)
      : warning('dmarc', `_dmarc.${domain} has no policy: large receivers expect one, such as v=DMARC1; p=none`),
    servers.length > 0
      ? ok('mx', `${domain} receives at ${servers.join(', ')}`)
      : warning(
          'mx',
          `${domain} has no MX record: replies and bounces are lost, and some receivers reject such senders`,
        ),
  ];
}

import { generateKeyPairSync } from 'node:crypto';
import { bulkSmtpMail } from '~/server/adapters/mail/bulk/bulk-mail';
import type { DkimKey } from '~/server/adapters/mail/bulk/dkim-signature';
import type { BulkResult, Edition } from '~/server/adapters/mail/bulk/message';
import { startThread } from '~/server/audio/thread';
import { cpuSeconds } from './machine';
import { measureEditions } from './newsletter-editions';
import { countsOf, startSink } from './start-newsletter-sink';
import { type BenchmarkRow, judge, kilobytes, megabytes, perSecond } from './table';

/** `EMAILS=10000 npm run bench -- newsletter` for a quick look. */
const EMAILS = Number(process.env.EMAILS ?? 100_000);
/** Leased at once, as the product does. */
const BATCH = 5000;
const WARM_UP = 2000;
const GOALS = { unsigned: 10_000, signed: 3_000 };

/** Sends an edition to a mail server on this machine that accepts everything: by the sender alone, and by the product. */
export async function run(): Promise<BenchmarkRow[]> {
  return [
    await measureEditions('a row per recipient, unsigned', { emails: EMAILS, dkim: null, goal: GOALS.unsigned }),
    await measureEditions('a row per recipient, RSA-2048', { emails: EMAILS, dkim: rsaKey(), goal: GOALS.signed }),
    await measure('unsigned, CHUNKING', { offers: ['CHUNKING'], dkim: null, goal: GOALS.unsigned }),
    await measure('unsigned, DATA', { offers: [], dkim: null }),
    await measure('signed with RSA-2048, CHUNKING', { offers: ['CHUNKING'], dkim: rsaKey(), goal: GOALS.signed }),
    await measure('signed with Ed25519, CHUNKING', { offers: ['CHUNKING'], dkim: ed25519Key() }),
  ];
}

type Kind = { offers: string[]; dkim: DkimKey | null; goal?: number };

async function measure(label: string, { offers, dkim, goal }: Kind): Promise<BenchmarkRow> {
  const { sink, port } = await startSink(offers);
  const mail = bulkSmtpMail({ url: `smtp://127.0.0.1:${port}`, dkim, startDkimThread });
  const compose = mail.compose(EDITION);
  let rss = 0;
  async function send(first: number, count: number): Promise<void> {
    for (let at = first; at < first + count; at += BATCH) {
      const size = Math.min(BATCH, first + count - at);
      const unsent: BulkResult[] = [];
      const messages = Array.from({ length: size }, (_, i) => compose(recipientOf(at + i)));
      await mail.send(messages, (results) => void unsent.push(...results.filter(({ state }) => state !== 'sent')));
      if (unsent.length > 0) throw new Error(`${unsent.length} emails were not sent: ${JSON.stringify(unsent[0])}`);
      rss = Math.max(rss, process.memoryUsage.rss());
    }
  }
  await send(0, WARM_UP);
  const before = await countsOf(sink);
  const [began, cpu, sinkCpu] = [performance.now(), process.cpuUsage(), cpuSeconds(sink.pid!)];
  await send(WARM_UP, EMAILS);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const after = await countsOf(sink);
  const kept = after.emails - before.emails;
  if (kept !== EMAILS) throw new Error(`the server has ${kept} emails of ${EMAILS}`);
  const each = (micros: number) => `${Math.round(micros / EMAILS)} µs`;
  const details = [
    `${each(user + system)} CPU each, ${each((cpuSeconds(sink.pid!) - sinkCpu) * 1e6)} of the server`,
    `${kilobytes((after.bytes - before.bytes) / EMAILS)} each`,
    `peak memory ${megabytes(rss)}`,
  ].join('; ');
  await mail.close();
  sink.disconnect();
  const rate = EMAILS / seconds;
  const judged = goal && { goal: `≥ ${perSecond(goal)}`, ...judge(rate / goal, { holds: false }) };
  return { label: `${EMAILS.toLocaleString('en')} emails, ${label}`, figure: perSecond(rate), details, ...judged };
}

const startDkimThread = () =>
  startThread(
    { built: 'dkim-thread', source: new URL('../server/adapters/mail/bulk/dkim-thread.ts', import.meta.url) },
    {},
  );

const PEM = { type: 'pkcs8', format: 'pem' } as const;
function rsaKey(): DkimKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    domain: 'altavoz.example',
    selector: 'r1',
    algorithm: 'rsa-sha256',
    privateKey: String(privateKey.export(PEM)),
  };
}
function ed25519Key(): DkimKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    domain: 'altavoz.example',
    selector: 'e1',
    algorithm: 'ed25519-sha256',
    privateKey: String(privateKey.export(PEM)),
  };
}

const PARAGRAPH =
  'Esta semana hablamos con quienes cuidan las salinas: cómo se cosecha la sal, quién la compra y qué cambió. ';
const EDITION: Edition = {
  from: { name: 'Lucía Pérez', address: 'lucia@altavoz.example' },
  replyTo: { name: '', address: 'lucia@her.example' },
  returnPath: 'bounces@altavoz.example',
  list: { name: 'Él y ella', id: 'el-y-ella.lists.altavoz.example' },
  feedbackId: 'edition-7:creator-3:newsletter:altavoz',
  date: new Date('2026-11-27T08:00:00Z'),
  subject: '{{name|Hola}}: un episodio nuevo sobre la sal',
  text: `Hola {{name|amiga}}:\n\n${`${PARAGRAPH}\n\n`.repeat(20)}Darte de baja: {{unsubscribe}}\n`,
  html: `<p>Hola {{name|amiga}}:</p>${`<p style="margin:0 0 16px;font:16px sans-serif">${PARAGRAPH}</p>\n`.repeat(60)}<a href="{{unsubscribe}}">Darte de baja</a>`,
  fields: ['name', 'unsubscribe'],
};

function recipientOf(i: number) {
  const url = `https://altavoz.example/unsubscribe/${i.toString(36).padStart(32, 'x')}`;
  return {
    id: String(i),
    to: { name: `Persona número ${i}`, address: `reader.${i}@d${i % 500}.example` },
    messageId: `e7-c${i}@altavoz.example`,
    unsubscribe: { url, mailto: `mailto:unsubscribe+${i}@altavoz.example` },
    values: { name: `Persona ${i}`, unsubscribe: url },
  };
}

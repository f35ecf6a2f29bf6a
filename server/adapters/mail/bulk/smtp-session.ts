import { type Channel, openChannel } from './channel';
import { ProtocolError, type SmtpReply } from './smtp-reply';
import type { SmtpServer } from './smtp-url';

/** What a server offers in its answer to EHLO. */
export type Offers = {
  pipelining: boolean;
  chunking: boolean;
  eightBit: boolean;
  utf8: boolean;
  dsn: boolean;
  startTls: boolean;
  auth: string[];
  /** In bytes; null: no limit. */
  size: number | null;
};

export type SmtpTimeouts = {
  connectMs: number;
  /** Until a command is answered. */
  answerMs: number;
  /** Until a whole email is answered. Giving up leaves its fate unknown. */
  acceptMs: number;
};

/** Connects, and logs in over TLS if possible. @throws the reason why the server can't be used */
export async function openSmtpSession(
  server: SmtpServer,
  timeouts: SmtpTimeouts,
): Promise<{ channel: Channel; offers: Offers }> {
  const channel = await openChannel(server, timeouts.connectMs);
  try {
    const ask = asker(channel, timeouts.answerMs);
    expectCode(await ask(null), 220);
    let offers = await greet(ask, server.name);
    if (!server.isSecure && mayStartTls(server, offers)) {
      expectCode(await ask('STARTTLS'), 220);
      await channel.startTls();
      // what was offered before may have been an attacker's
      offers = await greet(ask, server.name);
    }
    if (server.credentials) await logIn(ask, offers, server.credentials);
    return { channel, offers };
  } catch (error) {
    channel.destroy(error as Error);
    throw error;
  }
}

function mayStartTls({ startTls }: SmtpServer, offers: Offers): boolean {
  if (startTls === 'required' && !offers.startTls) throw new Error('the mail server does not offer STARTTLS');
  return startTls !== 'never' && offers.startTls;
}

type Ask = (command: string | null) => Promise<SmtpReply>;

/** Sends one command at a time; null only waits. */
function asker(channel: Channel, limitMs: number): Ask {
  return (command) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => channel.destroy(new Error('the mail server does not answer')), limitMs);
      channel.listen({
        onReply(reply) {
          clearTimeout(timer);
          // a second answer belongs to no question
          channel.listen({ onReply: () => channel.destroy(new ProtocolError('an answer to nothing')), onEnd() {} });
          resolve(reply);
        },
        onEnd(reason) {
          clearTimeout(timer);
          reject(reason);
        },
      });
      if (command !== null) channel.write(`${command}\r\n`);
    });
}

async function greet(ask: Ask, name: string): Promise<Offers> {
  const reply = await ask(`EHLO ${name}`);
  if (reply.code === 250) return readOffers(reply.lines.slice(1));
  expectCode(await ask(`HELO ${name}`), 250);
  return readOffers([]);
}

export function readOffers(lines: string[]): Offers {
  const words = lines.map((line) => line.toUpperCase().replace('AUTH=', 'AUTH ').split(/\s+/));
  const has = (name: string) => words.some(([first]) => first === name);
  const size = Number(words.find(([first]) => first === 'SIZE')?.[1]);
  return {
    pipelining: has('PIPELINING'),
    chunking: has('CHUNKING'),
    eightBit: has('8BITMIME'),
    utf8: has('SMTPUTF8'),
    dsn: has('DSN'),
    startTls: has('STARTTLS'),
    auth: words.filter(([first]) => first === 'AUTH').flatMap((line) => line.slice(1)),
    size: size > 0 ? size : null,
  };
}

async function logIn(ask: Ask, { auth }: Offers, { user, password }: { user: string; password: string }) {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  if (auth.includes('PLAIN') || !auth.includes('LOGIN')) {
    return expectCode(await ask(`AUTH PLAIN ${encode(`\0${user}\0${password}`)}`), 235);
  }
  expectCode(await ask('AUTH LOGIN'), 334);
  expectCode(await ask(encode(user)), 334);
  return expectCode(await ask(encode(password)), 235);
}

function expectCode(reply: SmtpReply, code: number): void {
  if (reply.code !== code) throw new Error(`the mail server answered ${reply.code} ${reply.text}`);
}

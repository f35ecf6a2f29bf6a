import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Log } from '../../watching/log';
import type { Messages } from './messages';

const MAX_MAIL_BYTES = 25_000_000;

export type SmtpCatcher = { /** `smtp://127.0.0.1:…` */ url: string; close(): Promise<void> };

/** An SMTP server on a loopback port. It accepts email for any address, and stores it before it confirms. */
export async function startSmtpCatcher(messages: Messages, log: Log, port = 0): Promise<SmtpCatcher> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: 1000,
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onData(stream, { envelope }, done) {
      const addresses = {
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
      };
      stream
        .toArray()
        .then((chunks) => PostalMime.parse(Buffer.concat(chunks)))
        .then((mail) => messages.keep(mail, addresses))
        .then(
          () => done(),
          (error: Error) => {
            log.error({ err: error }, 'inbox failed to store a message');
            done(error);
          },
        );
    },
  });
  // clients that disconnect in the middle of a command are not our error
  server.on('error', (err: Error) => log.debug({ err }, 'inbox connection'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: bound } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${bound}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

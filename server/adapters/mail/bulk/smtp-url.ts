import os from 'node:os';
import type { ConnectionOptions } from 'node:tls';

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte. */
  isSecure: boolean;
  startTls: 'required' | 'offered' | 'never';
  credentials: { user: string; password: string } | null;
  tls: ConnectionOptions;
  /** What we call ourselves in EHLO. */
  name: string;
};

const SUBMISSION = 587;
const SMTPS = 465;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Reads `SMTP_URL` like nodemailer does: `?requireTLS=true`, `?ignoreTLS=true`, `?tls.rejectUnauthorized=false`,
 * `?name=`. Unlike nodemailer, it requires TLS before it sends a password to another computer, unless the address says
 * `ignoreTLS`.
 */
export function readSmtpUrl(url: string): SmtpServer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isOn = (name: string) => ['true', '1', 'yes'].includes(searchParams.get(name) ?? '');
  const isSecure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const credentials = username ? { user: decodeURIComponent(username), password: decodeURIComponent(password) } : null;
  const needsTls = isOn('requireTLS') || (credentials !== null && !LOOPBACK.test(host));
  return {
    host,
    port: Number(port) || (isSecure ? SMTPS : SUBMISSION),
    isSecure,
    startTls: isOn('ignoreTLS') ? 'never' : needsTls ? 'required' : 'offered',
    credentials,
    tls: { rejectUnauthorized: searchParams.get('tls.rejectUnauthorized') !== 'false' },
    name: searchParams.get('name') ?? ownName(),
  };
}

/** Servers expect a name with a dot, or an address in brackets (RFC 5321 §4.1.3). */
function ownName(): string {
  const name = os.hostname().toLowerCase();
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name) ? name : '[127.0.0.1]';
}

import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';
import { atEnd } from '../../testing/at-end';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    copyPrefix: string;
  }
}

/** TEST_DATABASE_URL names the server if no runner provides one: `postgres://postgres@localhost/postgres`. */
const { TEST_DATABASE_URL: adminUrl = inject('adminUrl') } = process.env;

/** An empty database for the calling test file, dropped when the file ends. @returns its URL */
export async function testDatabase(): Promise<string> {
  const name = `${inject('copyPrefix') ?? 'sandbox_'}${randomBytes(6).toString('hex')}`;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await admin`create database ${admin(name)} template template0`;
  atEnd(async () => {
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
}

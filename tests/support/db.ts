import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { inject } from 'vitest';
import { createDb } from '~/db/client';
import { reachBySocket } from './by-socket';

const socket = inject('socket');
if (socket) reachBySocket(Number(new URL(inject('adminUrl')).port), socket);

/** A database without tables, like that of a new installation. */
export const emptyDatabase = () => testDatabase('template0');

/** The calling test file's copy of a template database, dropped when the file ends. */
export async function testDatabase(template = inject('template')) {
  const name = `${inject('copyPrefix')}${randomBytes(6).toString('hex')}`;
  const admin = postgres(inject('adminUrl'), { max: 1, onnotice: () => {} });
  // takes a third of the default's time, which writes every page to the log first
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${name}`;
  const opened = createDb(url.href, { patient: true });
  atEnd(async () => {
    await opened.close();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return { ...opened, url: url.href };
}

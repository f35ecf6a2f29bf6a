import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createBoss, createQueue } from '~/jobs/queue';
import { selectPorts } from '~/server/adapters/select-ports';
import { createSessions } from '~/server/auth/sessions';
import { openRecorders } from '~/server/domain/listening/recorders';
import { parseEnv } from '~/server/env/read';
import { createRateLimits } from '~/server/http/rate-limits';
import { createLog } from '~/server/log';
import type { Runtime } from '~/server/runtime';
import { makeUrls } from '~/server/urls';
import { testDatabase } from './db';

/**
 * All that a process has, on a database and a data directory of the calling test file's own: real storage on disk, real
 * mail over SMTP into the local inbox, a clock that stands where `clock.now` says.
 */
export async function testRuntime(settings: Record<string, string> = {}) {
  const { db, client, url } = await testDatabase();
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'altavoz-test-'));
  const env = parseEnv({ ...settings, DATA_DIR: dataDir });
  const log = createLog('silent');
  const boss = createBoss(url, { runsJobs: false, onError: () => {} });
  await boss.start();
  const urls = makeUrls(env.urls);
  const selected = await selectPorts(env, { databaseUrl: url, urls, log });
  const clock = { now: new Date('2026-03-02T09:00:00Z') };
  const secret = 'a secret for tests';
  const runtime: Runtime = {
    db,
    queue: createQueue(boss),
    ports: selected.ports,
    urls,
    log,
    sessions: createSessions(db),
    rateLimits: await createRateLimits(client, { secret, log }),
    cookies: { appHost: new URL(env.urls.appUrl).hostname, secure: false },
    recorders: openRecorders(db),
    settings: { stripePublishableKey: null },
    now: () => clock.now,
  };
  afterAll(async () => {
    await selected.close();
    await boss.stop({ graceful: false });
    await fs.rm(dataDir, { recursive: true, force: true });
  });
  const { inbox, stripeSandbox } = selected;
  return { runtime, env, clock, boss, url, client, inbox, stripeSandbox };
}

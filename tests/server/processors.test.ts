import { expect, test } from 'vitest';
import { parseEnv } from '~/server/env/read';
import { processorsOf } from '~/server/runtime/processors';

const named = (settings: Record<string, string>) =>
  processorsOf(parseEnv(settings)).map(({ kind, name }) => [kind, name]);

test('without services elsewhere, there are no processors', () => {
  expect(named({})).toEqual([]);
});

test('services on this machine or in its network belong to the operator', () => {
  const settings = {
    DATABASE_URL: 'postgres://a:b@127.0.0.1/altavoz',
    SMTP_URL: 'smtp://127.0.0.1:25',
    STORAGE_DRIVER: 's3',
    S3_BUCKET: 'a',
    S3_ENDPOINT: 'http://minio:9000',
    LLM_URL: 'http://[::1]:11434/v1',
    LLM_MODEL: 'a',
    STATISTICS_URL: 'clickhouse://a:b@10.0.0.4:8123/altavoz',
  };

  expect(named(settings)).toEqual([]);
});

test('services elsewhere are named by company or host, without their passwords', () => {
  const settings = {
    DATABASE_URL: 'postgres://user:secret@db.example/altavoz',
    SMTP_URL: 'smtps://user:secret@smtp.post.example:465',
    STORAGE_DRIVER: 's3',
    S3_BUCKET: 'a',
    STRIPE_SECRET_KEY: 'sk_test_a',
    STRIPE_WEBHOOK_SECRETS: 'whsec_a',
    TRANSCRIBER: 'deepgram',
    TRANSCRIBER_KEY: 'secret',
    LLM_URL: 'https://models.example/v1',
    LLM_MODEL: 'a',
    STATISTICS_URL: 'clickhouses://user:secret@statistics.example/altavoz',
    SPOTIFY_CLIENT_ID: 'a',
    SPOTIFY_CLIENT_SECRET: 'secret',
    SPOTIFY_PARTNER_ID: 'a',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
  };

  expect(named(settings)).toEqual([
    ['database', 'db.example'],
    ['email', 'smtp.post.example'],
    ['storage', 's3.amazonaws.com'],
    ['payments', 'Stripe'],
    ['transcription', 'api.deepgram.com'],
    ['suggestions', 'models.example'],
    ['statistics', 'statistics.example'],
    ['spotify', 'Spotify'],
    ['tracing', 'traces.example'],
  ]);
});

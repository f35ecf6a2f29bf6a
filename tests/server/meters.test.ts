import { expect, test } from 'vitest';
import { createMeters } from '~/server/watching/meters';

async function rowsOf(meters: ReturnType<typeof createMeters>, name: string): Promise<string[]> {
  const text = await meters.registry.metrics();
  return text.split('\n').filter((row) => row.startsWith(name));
}

test('jobs are counted by name and outcome, with their durations', async () => {
  const meters = createMeters();

  meters.jobEnded('episodes.check-audio', 'done', 0.05);
  meters.jobEnded('episodes.check-audio', 'done', 5);
  meters.jobEnded('episodes.check-audio', 'failed', 2);

  expect(await rowsOf(meters, 'job_duration_seconds_count')).toEqual([
    'job_duration_seconds_count{name="episodes.check-audio",outcome="done"} 2',
    'job_duration_seconds_count{name="episodes.check-audio",outcome="failed"} 1',
  ]);
  expect(await rowsOf(meters, 'job_duration_seconds_bucket{le="0.1"')).toEqual([
    'job_duration_seconds_bucket{le="0.1",name="episodes.check-audio",outcome="done"} 1',
    'job_duration_seconds_bucket{le="0.1",name="episodes.check-audio",outcome="failed"} 0',
  ]);
});

test('emails are counted by outcome, and both outcomes are shown from the start', async () => {
  const meters = createMeters();
  expect(await rowsOf(meters, 'emails_total{')).toEqual([
    'emails_total{outcome="sent"} 0',
    'emails_total{outcome="failed"} 0',
  ]);

  meters.emailEnded('sent');
  meters.emailEnded('failed');
  meters.emailEnded('sent');

  expect(await rowsOf(meters, 'emails_total{')).toEqual([
    'emails_total{outcome="sent"} 2',
    'emails_total{outcome="failed"} 1',
  ]);
});

test('pools and LISTEN are read when the meters are requested', async () => {
  const meters = createMeters();
  expect(await rowsOf(meters, 'database_listening')).toEqual([]);
  let isListening = true;
  let used = 3;
  meters.setListening(() => isListening);
  meters.addPool('web', () => ({ max: 10, used, waiting: 1 }));
  expect(await rowsOf(meters, 'database_listening')).toEqual(['database_listening 1']);

  [isListening, used] = [false, 10];

  expect(await rowsOf(meters, 'database_listening')).toEqual(['database_listening 0']);
  expect(await rowsOf(meters, 'database_pool_connections{')).toEqual([
    'database_pool_connections{pool="web",state="max"} 10',
    'database_pool_connections{pool="web",state="used"} 10',
    'database_pool_connections{pool="web",state="waiting"} 1',
  ]);
});

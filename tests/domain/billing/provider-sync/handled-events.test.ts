import fs from 'node:fs';
import { expect, test } from 'vitest';
import { HANDLED_EVENTS, toEvent } from '~/server/adapters/payments/webhooks';

const SOURCE = 'server/domain/billing/provider-sync/events.ts';

test('the types to which endpoints subscribe are those that the product handles, no more and no fewer', () => {
  const handled = [...fs.readFileSync(SOURCE, 'utf8').matchAll(/^ {4}case '(\w+)':$/gm)].map(([, type]) => type!);
  const object = { id: 'x', metadata: {} };
  const subscribed = HANDLED_EVENTS.map(
    (type) => toEvent({ id: 'evt_1', type, created: 0, data: { object } } as never).type,
  );

  expect(new Set(subscribed)).toEqual(new Set(handled.filter((type) => type !== 'other')));
});

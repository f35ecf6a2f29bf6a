import { expect, test } from 'vitest';
import { createCaller } from '~/server/trpc/caller';
import { tokenContext } from '~/server/trpc/context';
import { cast } from '../../../support/cast';

const { runtime, make } = await cast();

test('an account without a chosen language has that of the page', async () => {
  const request = { headers: new Headers(), host: 'altavoz.localhost', address: '203.0.113.7', requestId: 'test' };
  const visitor = createCaller(
    await tokenContext(runtime, { request: { ...request, language: 'es' }, out: new Headers() }, null),
  );
  const account = { name: 'Eva', email: 'eva@mail.example', password: 'correct horse', country: 'ES', terms: true };

  const { user } = await visitor.accounts.signUp(account);

  expect(user.language).toBe('es');
});

test('a product without a chosen currency has that of its creator', async () => {
  const owner = await make.creator();
  await owner.api.accounts.update({ country: 'US' });

  const created = await owner.api.products.create(await make.productInput(owner));

  expect(created.currency).toBe('usd');
});

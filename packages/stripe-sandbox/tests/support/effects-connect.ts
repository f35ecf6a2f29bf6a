import { expect } from 'vitest';
import {
  all,
  type Effect,
  EXAMPLE,
  METADATA,
  paidIntent,
  type RouteEffects,
  refuses,
  sharedIntent,
  shows,
} from './effects';

/** Opens the onboarding page of a link after changing the clock, and returns the target of its redirect. */
const leadsTo =
  (value: string, seconds: number): Effect =>
  async ({ world, name, send }) => {
    const { url } = await send({ [name]: value });
    const before = world.clock.now;
    world.clock.now = new Date(before.getTime() + seconds * 1000);
    const response = await world.fetch(String(url), { method: 'POST', redirect: 'manual' });
    world.clock.now = before;

    expect(response.headers.get('location')).toBe(value);
  };

export const CONNECT_EFFECTS: Record<string, RouteEffects> = {
  'POST /v1/accounts': {
    base: () => ({ path: '/v1/accounts' }),
    effects: {
      type: all(shows('standard'), refuses('custom')),
      country: all(shows('US'), shows('US', { at: 'default_currency', as: 'usd' })),
      email: shows('l@example.com'),
      metadata: METADATA,
      business_type: all(shows('individual'), refuses('circus')),
    },
  },
  'POST /v1/accounts/:id': {
    base: ({ account }) => ({ path: `/v1/accounts/${account}` }),
    effects: { email: shows('m@example.com'), metadata: METADATA },
  },
  'POST /v1/account_links': {
    base: async ({ stripe }) => {
      const { id: account } = await stripe.accounts.create({ type: 'standard' });
      const urls = { return_url: 'https://a.example/done', refresh_url: 'https://a.example/again' };
      return { path: '/v1/account_links', params: { account, type: 'account_onboarding', ...urls } };
    },
    effects: {
      account: all(refuses('acct_nothing'), async ({ world, send }) =>
        expect((await send({ account: world.account })).url).toContain(world.account),
      ),
      type: refuses('account_update'),
      return_url: all(leadsTo(EXAMPLE, 0), refuses('javascript:alert(1)')),
      refresh_url: all(leadsTo(EXAMPLE, 301), refuses('nowhere')),
    },
  },
  'POST /v1/transfers': {
    base: async (world) => {
      await paidIntent(world);
      return { path: '/v1/transfers', params: { amount: 100, currency: 'eur', destination: world.account } };
    },
    effects: {
      amount: shows(150),
      currency: all(refuses('xyz'), async ({ send }) =>
        expect(send({ currency: 'gbp' })).rejects.toMatchObject({ code: 'balance_insufficient' }),
      ),
      destination: all(refuses('acct_nothing'), async ({ world, send }) =>
        expect(await send()).toMatchObject({ destination: world.account }),
      ),
      source_transaction: all(refuses('ch_nothing'), async ({ world, send }) => {
        const { charge } = await paidIntent(world);
        expect(await send({ source_transaction: charge })).toMatchObject({ source_transaction: charge });
        await expect(send({ source_transaction: charge, amount: 4901 })).rejects.toMatchObject({ param: 'amount' });
      }),
      transfer_group: shows('order-17'),
      description: shows('Reparto'),
      metadata: METADATA,
    },
  },
  'POST /v1/transfers/:id/reversals': {
    base: async (world) => {
      await paidIntent(world);
      const terms = { amount: 100, currency: 'eur', destination: world.account };
      const { id } = await world.stripe.transfers.create(terms);
      return { path: `/v1/transfers/${id}/reversals` };
    },
    effects: { amount: all(shows(40), refuses(101)), metadata: METADATA },
  },
  'POST /v1/application_fees/:id/refunds': {
    base: async (world) => {
      const { charge } = await sharedIntent(world);
      const { application_fee: fee } = await world.stripe.charges.retrieve(charge);
      return { path: `/v1/application_fees/${fee}/refunds` };
    },
    effects: { amount: all(shows(40), refuses(501)), metadata: METADATA },
  },
  'POST /v1/payouts': {
    base: async (world) => {
      await paidIntent(world);
      return { path: '/v1/payouts', params: { amount: 100, currency: 'eur' } };
    },
    effects: {
      amount: shows(150),
      currency: all(refuses('xyz'), async ({ send }) =>
        expect(send({ currency: 'gbp' })).rejects.toMatchObject({ code: 'balance_insufficient' }),
      ),
      description: shows('Mayo'),
      metadata: METADATA,
      method: all(shows('standard'), refuses('instant')),
      statement_descriptor: shows('ALTAVOZ'),
    },
  },
  'POST /v1/balance_settings': {
    base: () => ({ path: '/v1/balance_settings' }),
    effects: {
      'payments[payouts][schedule][interval]': all(shows('daily'), shows('manual'), refuses('weekly')),
    },
  },
};

import type { DemoPerson, DemoSale } from './demo-types';

const SHOW = 'noches-de-taller';
/** A card that pays the first time and is declined at renewals. */
const FAILS_AT_RENEWAL = '4000000000000044';

type Listener = Pick<DemoPerson, 'name' | 'country' | 'language'> & { login: string };

const listener = ({ login, ...person }: Listener, buys: DemoSale[]): DemoPerson => ({
  ...person,
  email: `${login}@altavoz.example`,
  birthDate: '1991-05-14',
  reason: 'listen',
  products: [],
  buys,
});

/** One listener for each state of access to a paid show. Their names don't show the state. */
export const LISTENERS: readonly DemoPerson[] = [
  // yearly, partly refunded
  listener({ login: 'nora', name: 'Nora Llorens', country: 'ES', language: 'es' }, [
    { slug: SHOW, interval: 'year', daysAgo: 25, coupon: 'BIENVENIDA', then: { refund: '10.00' } },
  ]),
  // access until the end of the paid month
  listener({ login: 'pablo', name: 'Pablo Rius', country: 'ES', language: 'es' }, [
    { slug: SHOW, interval: 'month', daysAgo: 12, then: 'cancel' },
  ]),
  // the renewal has failed
  listener({ login: 'sara', name: 'Sara O’Neill', country: 'IE', language: 'en' }, [
    { slug: SHOW, interval: 'month', daysAgo: 33, card: FAILS_AT_RENEWAL },
  ]),
  listener({ login: 'hugo', name: 'Hugo Prat', country: 'ES', language: 'es' }, [
    { slug: SHOW, interval: 'month', daysAgo: 38, then: 'pause' },
  ]),
  // an ended subscription, a trial, and a refunded audio series
  listener({ login: 'eva', name: 'Eva Lindqvist 🎧', country: 'SE', language: 'en' }, [
    { slug: SHOW, interval: 'month', daysAgo: 75, then: 'cancel' },
    { slug: 'field-guide-to-hums', daysAgo: 9, then: 'refund' },
    { slug: 'bottles', daysAgo: 5, amount: '12.00' },
    { slug: 'after-hours', interval: 'month', daysAgo: 4 },
  ]),
  {
    name: 'Olga Prats',
    email: 'olga@altavoz.example',
    country: 'ES',
    language: 'en',
    reason: 'listen',
    isOperator: true,
    products: [],
  },
];

import type { DemoCoupon, DemoEpisode, DemoProduct } from './demo-types';

/** Private episodes come before public ones: a paid show has no more public than private ones. */
export const NOCHES: DemoProduct = {
  kind: 'podcast',
  name: 'Noches de taller',
  slug: 'noches-de-taller',
  onSpotify: 'approved',
  description: 'Lo que se oye en el taller cuando ya no hay prisa. Un episodio al mes para quienes lo sostienen.',
  category: 1100,
  language: 'es',
  cover: 'hills',
  price: '4.00',
  annualPrice: '40.00',
  namesListener: true,
  episodes: [
    {
      name: 'Antes de entrar',
      description: 'Medio minuto para decidirte.',
      seconds: 26,
      daysAgo: 21,
      type: 'trailer',
      speech: 'es',
      isTranscribed: true,
      soundbites: [
        { title: 'Lo que queda cuando ya no hay prisa', startMs: 3700, endMs: 19_200 },
        { title: 'Una noche entera en unos minutos', startMs: 10_000, endMs: 25_500 },
      ],
    },
    {
      name: 'El piano de la 3B',
      description: 'Un piano olvidado.',
      seconds: 80,
      daysAgo: 14,
      type: 'private',
      hasPromo: true,
    },
  ],
};

const { slug } = NOCHES;
export const NOCHES_COUPONS: DemoCoupon[] = [
  { slug, couponCode: 'INVIERNO25', discountType: 'percentage', discount: '10', isDisabled: true },
  { slug, couponCode: 'LANZAMIENTO', discountType: 'percentage', discount: '50', redemptions: 2, uses: 2 },
  {
    slug,
    couponCode: 'PRENSA',
    discountType: 'percentage',
    discount: '100',
    duration: 'lifetime',
    redemptions: 10,
    uses: 1,
  },
  { slug, couponCode: 'TALLER3', discountType: 'flat', discount: '1.50', duration: 'repeating', months: 3 },
  { slug, couponCode: 'BIENVENIDA', discountType: 'percentage', discount: '20' },
];

export const FIELD_GUIDE: DemoProduct = {
  kind: 'audio_series',
  name: 'A Field Guide to Hums',
  slug: 'field-guide-to-hums',
  description:
    'How to hear what a machine is telling you, in short lessons: the note of a healthy fridge, the chord of a substation, the silence of a lift that is about to stop.',
  category: 1100,
  language: 'en',
  cover: 'waves',
  price: '12.00',
  dripDays: 12,
  episodes: [
    {
      name: 'What you will hear',
      description: 'What this guide is about, in half a minute.',
      seconds: 24,
      daysAgo: 14,
      type: 'trailer',
      speech: 'en',
      needsLook: true,
    },
    {
      name: 'The fridge at night',
      description: 'Half a tone below the kettle. That is how it should be.',
      seconds: 12,
      daysAgo: 12,
      type: 'private',
      number: 2,
    },
    {
      name: 'A chord of transformers',
      description: 'Stand at the fence. Count the notes. Step back when there are four.',
      seconds: 12,
      daysAgo: 11,
      type: 'private',
      number: 3,
    },
    {
      name: 'How to stand still',
      description: 'The first lesson is free: you need two ears and one minute.',
      seconds: 20,
      daysAgo: 13,
      type: 'public',
      number: 1,
      speech: 'lesson',
      isTimed: true,
    },
  ],
};

export const MAQUETAS: DemoProduct = {
  kind: 'podcast',
  name: 'Maquetas de 2019',
  slug: 'maquetas-2019',
  description: 'Primeras versiones, con el zumbido de la nevera de fondo. Quien ya las tenía las puede seguir oyendo.',
  category: 1100,
  language: 'es',
  cover: 'bars',
  isArchived: true,
  // short ones, because their number fills two pages of a list
  episodes: [
    { name: 'Maqueta en re', description: 'Grabada con el teléfono.', seconds: 8, daysAgo: 90, number: 1 },
    ...Array.from({ length: 22 }, (_, i) => ({
      name: `Toma ${i + 1}`,
      description: 'Una vuelta más a la misma melodía.',
      seconds: 3,
      daysAgo: 89 - i,
      number: i + 2,
    })),
  ],
};

const THINGS =
  'fridge,lift,kettle,lamp,radiator,router,fan,tram,boiler,projector,escalator,mixer,freezer,printer,pump,clock,charger,loudspeaker';
const TIMES = ['at dawn', 'at noon', 'at night'];

/** Three seasons of eighteen episodes. Seasons and numbers ascend towards today. */
const minutes = (): DemoEpisode[] =>
  TIMES.flatMap((time, season) =>
    THINGS.split(',').map((thing, i) => ({
      name: `The ${thing} ${time}`,
      description: `What a ${thing} says ${time}, in a few seconds.`,
      seconds: 4,
      daysAgo: 180 - season * 60 - i * 3,
      season: season + 1,
      number: i + 1,
    })),
  );

/** Long enough for a search on its page. Its episodes share one tune, so that creating them takes little time. */
export const MINUTES_OF_HUM: DemoProduct = {
  kind: 'podcast',
  name: 'A Few Seconds of Hum',
  slug: 'seconds-of-hum',
  onSpotify: 'rejected',
  description:
    'One machine per episode, three times a day: at dawn, at noon and at night. Free, and over before your tea is.',
  category: 1100,
  language: 'en',
  cover: 'bars',
  hasOneTune: true,
  feedLength: 20,
  episodes: minutes(),
};

export const STREET_TUNES: DemoProduct = {
  kind: 'podcast',
  name: 'Street Tunes',
  slug: 'street-tunes',
  description: 'One tune, played on bottles, railings and bins. Everybody shares it, which is nice and expensive.',
  category: 1500,
  language: 'en',
  cover: 'hills',
  hasOneTune: true,
  episodes: [
    { name: 'Eleven bottles', description: 'Found behind a bar.', seconds: 12, daysAgo: 12 },
    { name: 'A summer hit on bins', description: 'You know it.', seconds: 12, daysAgo: 10, isTakenDown: true },
  ],
};

const BEHIND_THE_BAR = { description: 'One take, with the street in it.', seconds: 12, type: 'private' as const };

/** Has free days before the first payment. */
export const AFTER_HOURS: DemoProduct = {
  kind: 'podcast',
  name: 'Street Tunes After Hours',
  slug: 'after-hours',
  onSpotify: 'approved',
  description: 'The tunes that need a quiet street. Try it for two weeks before you pay.',
  category: 1500,
  language: 'en',
  cover: 'bars',
  price: '3.00',
  annualPrice: '30.00',
  trialDays: 14,
  earlyAccessDays: 14,
  benefits: ['A tune every second week', 'The streets and the hours they belong to', 'My notes on how each was made'],
  hasOneTune: true,
  episodes: [
    { name: 'Railings at two', daysAgo: 9, ...BEHIND_THE_BAR },
    { name: 'The last tram, twice', daysAgo: 1, ...BEHIND_THE_BAR, type: 'public' },
  ],
};

/** Buyers choose the price. */
export const BOTTLES: DemoProduct = {
  kind: 'audio_series',
  name: 'Bottles: the Whole Scale',
  slug: 'bottles',
  description: 'Twelve bottles, tuned with rain water. Pay what it is worth to you, from five dollars.',
  category: 1500,
  language: 'en',
  cover: 'waves',
  price: '5.00',
  paysWhatTheyWant: true,
  hasOneTune: true,
  episodes: [{ name: 'The lowest one', daysAgo: 7, number: 1, ...BEHIND_THE_BAR }],
};

export const LULLABIES: DemoProduct = {
  kind: 'podcast',
  name: 'Lullabies for Machines',
  slug: 'lullabies',
  onSpotify: 'in_review',
  description:
    'Short pieces to switch off to. Each one is written for a device that never sleeps: a lighthouse lamp, a satellite, an old server in a cellar.',
  category: 1100,
  language: 'en',
  cover: 'bars',
  episodes: [
    {
      name: 'For a lighthouse',
      description: 'Four seconds of light, twelve of dark.\n\nThe melody keeps the same watch.',
      seconds: 94,
      daysAgo: 30,
      number: 1,
    },
    {
      name: 'For a satellite',
      description: 'It passes over your house every ninety-three minutes.\n\nPlay this when it does.',
      seconds: 108,
      daysAgo: 16,
      number: 2,
      chapters: [
        { startMs: 0, title: 'Rising' },
        { startMs: 20_000, title: 'Overhead' },
        { startMs: 45_000, title: 'Below the horizon' },
      ],
    },
    { name: 'For those who stayed', description: 'The other take.', seconds: 62, daysAgo: 1, type: 'private' },
    {
      name: 'For the server in the cellar',
      description: 'It has been awake for 2,914 days.\n\nGood night, old friend.',
      seconds: 100,
      daysAgo: 2,
      number: 3,
    },
    {
      name: 'For a lift at night',
      description: 'It waits on the ground floor with its doors open.\n\nSomebody always comes.',
      seconds: 14,
      daysAgo: 0,
      number: 4,
      isAnnounced: true,
    },
  ],
};

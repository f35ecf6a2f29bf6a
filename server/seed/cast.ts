import type { DemoPerson, DemoProduct } from './demo-types';
import { LISTENERS } from './listeners';
import {
  AFTER_HOURS,
  BOTTLES,
  FIELD_GUIDE,
  LULLABIES,
  MAQUETAS,
  MINUTES_OF_HUM,
  NOCHES,
  NOCHES_COUPONS,
  STREET_TUNES,
} from './shows';
import { UNFINISHED } from './unfinished';

/** The people and shows of the demo, used in seeds, tests, documents and screenshots. All audio is synthesized here. */
export const DEMO_PASSWORD = 'altavoz-demo';

const POSTALES: DemoProduct = {
  kind: 'podcast',
  name: 'Postales sonoras',
  slug: 'postales-sonoras',
  description:
    'Cada episodio es una postal: un minuto y pico de música hecha a mano para un lugar que existe y un momento que quizá no. Sin prisa y sin palabras.',
  category: 1100,
  language: 'es',
  cover: 'waves',
  episodes: [
    {
      name: 'Qué vas a oír aquí',
      description: 'Un adelanto de lo que viene: sonidos pequeños para sitios grandes.',
      seconds: 70,
      daysAgo: 40,
      type: 'trailer',
    },
    {
      name: 'Lisboa, tranvía de las siete',
      description: 'El 28 sube despacio.\n\nUna melodía para mirar por la ventanilla antes de que la ciudad despierte.',
      seconds: 96,
      daysAgo: 33,
      season: 1,
      number: 1,
      chapters: [
        { startMs: 0, title: 'Cochera' },
        { startMs: 24_000, title: 'Subida a la Graça', url: 'https://www.openstreetmap.org/relation/5400890' },
        { startMs: 61_500, title: 'Última parada' },
      ],
      hasPictures: true,
      hasPromo: true,
    },
    {
      name: 'Playa de invierno',
      description: 'Cuando se van las sombrillas queda el compás de las olas.\n\nPara escuchar con bufanda.',
      seconds: 104,
      daysAgo: 26,
      season: 1,
      number: 2,
    },
    {
      name: 'Mercado a mediodía',
      description: 'Voces, cajas, monedas: aquí convertidas en notas.\n\nLa más alegre de la temporada.',
      seconds: 88,
      daysAgo: 19,
      season: 1,
      number: 3,
    },
    {
      name: 'Azotea con antenas',
      description: 'Domingo por la tarde en una azotea de Valencia.\n\nLas antenas afinan la última luz.',
      seconds: 112,
      daysAgo: 5,
      season: 1,
      number: 4,
    },
    {
      name: 'Estación de paso',
      description: 'Sale la semana que viene: diez minutos de espera resumidos en dos.',
      seconds: 92,
      daysAgo: -6,
      season: 1,
      number: 5,
    },
    ...UNFINISHED,
  ],
};

const ESTACIONES: DemoProduct = {
  kind: 'audio_series',
  name: 'Cuatro estaciones de bolsillo',
  slug: 'cuatro-estaciones',
  description:
    'Una serie breve en cuatro partes: primavera, verano, otoño e invierno para sintetizador solo. Se escucha de principio a fin, en lo que dura un café.',
  category: 1100,
  language: 'es',
  cover: 'hills',
  episodes: [
    {
      name: 'Primavera',
      description: 'Primera parte. Todo empieza en tono mayor.',
      seconds: 78,
      daysAgo: 60,
      number: 1,
    },
    {
      name: 'Verano',
      description: 'Segunda parte. Las cigarras marcan el tempo.',
      seconds: 82,
      daysAgo: 59,
      number: 2,
    },
    { name: 'Otoño', description: 'Tercera parte. Las hojas caen de dos en dos.', seconds: 90, daysAgo: 58, number: 3 },
    {
      name: 'Invierno',
      description: 'Cuarta y última parte. Una sola nota, y luego la nieve.',
      seconds: 86,
      daysAgo: 57,
      number: 4,
    },
  ],
};

export const CAST: readonly DemoPerson[] = [
  {
    name: 'Lucía Ferrer',
    email: 'lucia@altavoz.example',
    plan: 'PRO',
    spotifyAccount: 'luciaferrer',
    country: 'ES',
    language: 'es',
    birthDate: '1988-06-21',
    reason: 'sell',
    removedDownloads: 24,
    creator: {
      name: 'Lucía Ferrer',
      domain: 'lucia',
      timeZone: 'Europe/Madrid',
      about: {
        title: 'Quién hace esto',
        text: 'Compongo piezas cortas en un cuarto con vistas al puerto de Valencia. Antes afinaba pianos; ahora afino ruidos.',
      },
    },
    products: [POSTALES, ESTACIONES, NOCHES, MAQUETAS],
    coupons: NOCHES_COUPONS,
    invites: { email: 'gestoria@mail.example', role: 'finance' },
  },
  {
    name: 'Ada Bright',
    email: 'ada@altavoz.example',
    spotifyAccount: 'adabright',
    country: 'US',
    language: 'en',
    birthDate: '1985-11-03',
    reason: 'publish',
    creator: {
      name: 'Ada Bright',
      domain: 'ada',
      timeZone: 'America/New_York',
      about: {
        title: 'Hello',
        text: 'I write music for things that hum. By day I look after servers, by night I sing them to sleep.',
      },
      buttonColor: '#0B6665',
    },
    products: [LULLABIES, FIELD_GUIDE, MINUTES_OF_HUM],
  },
  {
    name: 'Tom Weaver',
    email: 'tom@altavoz.example',
    spotifyAccount: 'tomweaver',
    country: 'GB',
    language: 'en',
    reason: 'listen',
    products: [],
    follows: ['lullabies', 'seconds-of-hum'],
    heard: [
      { show: 'lullabies', episode: 'for-the-server-in-the-cellar', seconds: 52 },
      { show: 'lullabies', episode: 'for-a-lighthouse', seconds: 31 },
      { show: 'lullabies', episode: 'for-a-satellite', seconds: null },
    ],
    buys: [
      { slug: 'noches-de-taller', interval: 'month', daysAgo: 40 },
      { slug: 'field-guide-to-hums', daysAgo: 8 },
    ],
    buysOnOwnAccount: [{ slug: 'bottles', daysAgo: 0 }],
  },
  // still in the middle of the start wizard
  {
    name: 'Noa Vidal',
    email: 'noa@altavoz.example',
    country: 'ES',
    language: 'en',
    birthDate: '1994-02-17',
    reason: 'move',
    creator: { name: 'Noa Vidal', domain: 'noa', timeZone: 'Europe/Madrid' },
    products: [],
  },
  {
    name: 'Marta Ibarra',
    email: 'marta@altavoz.example',
    country: 'AR',
    language: 'es',
    isImported: true,
    invitedTo: ['noches-de-taller'],
    products: [],
  },
  {
    name: 'Irene Vidal',
    email: 'irene@altavoz.example',
    country: 'ES',
    language: 'es',
    birthDate: '1995-02-11',
    worksFor: { owner: 'lucia@altavoz.example', role: 'editor' },
    products: [],
  },
  // the trial has ended
  {
    name: 'Vera Montes',
    email: 'vera@altavoz.example',
    country: 'ES',
    language: 'es',
    birthDate: '1990-09-23',
    reason: 'publish',
    claimedDaysAgo: 20,
    creator: {
      name: 'Vera Montes',
      domain: 'vera',
      timeZone: 'Europe/Madrid',
      about: { title: 'Hola', text: 'Preparo mi primer programa.' },
    },
    products: [],
  },
  // more plays than the plan includes
  {
    name: 'Bruno Hale',
    email: 'bruno@altavoz.example',
    spotifyAccount: 'brunohale',
    country: 'US',
    language: 'en',
    birthDate: '1988-06-05',
    reason: 'publish',
    plan: 'BASIC',
    broughtBy: 'lucia@altavoz.example',
    downloads: 12_400,
    sellsOnOwnAccount: true,
    creator: {
      name: 'Bruno Hale',
      domain: 'bruno',
      timeZone: 'America/Chicago',
      about: { title: 'Hi', text: 'One tune, played on everything that I find in the street.' },
    },
    products: [STREET_TUNES, AFTER_HOURS, BOTTLES],
  },
  ...LISTENERS,
];

/** Printed at startup; a creator comes first. */
export const DEMO_LOGINS = CAST.map(({ email }) => ({ email, password: DEMO_PASSWORD }));

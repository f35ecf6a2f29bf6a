import type { DemoPerson } from '~/server/seed/demo-types';

const LONG_URL = `https://example.org/${'a-path-that-goes-on-'.repeat(14)}end?q=${'1234567890'.repeat(10)}`;
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaft'.repeat(9).slice(0, 300);

/** A creator whose texts try to break the layout of every page: URLs and words without a break, Arabic and emoji. */
export const AWKWARD: DemoPerson = {
  name: 'ليلى Awkward 🎙️',
  email: 'awkward@altavoz.example',
  country: 'ES',
  birthDate: '1990-05-01',
  language: 'en',
  spotifyAccount: LONG_WORD.slice(0, 60),
  creator: {
    name: 'ليلى 🎙️ Wwwwwwwwww',
    domain: 'awkward',
    timeZone: 'Asia/Kolkata',
    about: { title: LONG_WORD.slice(0, 170), text: LONG_URL },
    showNewsletter: true,
  },
  products: [
    {
      kind: 'podcast',
      name: 'Donaudampfschifffahrtsgesellschaft'.repeat(2).slice(0, 60),
      slug: 'long',
      description: `${LONG_URL}\n\n${LONG_WORD}`,
      category: 1100,
      language: 'de',
      cover: 'bars',
      onSpotify: 'rejected',
      episodes: [
        { name: 'W'.repeat(120), description: `${LONG_WORD}\n\n${LONG_URL}`, seconds: 20, daysAgo: 3, number: 1 },
      ],
    },
    {
      kind: 'audio_series',
      name: 'حكايات الليل 🌙👩‍👩‍👧‍👦🎧',
      slug: 'arabic',
      description: 'قصص قصيرة قبل النوم. See https://example.org/notes for more.',
      category: 1100,
      language: 'ar',
      cover: 'hills',
      onSpotify: 'approved',
      episodes: [
        { name: '1: الحلقة الأولى: البحر 🌊', description: `صوت البحر.\n\n${LONG_URL}`, seconds: 20, daysAgo: 4 },
      ],
    },
  ],
};

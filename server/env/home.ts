import type { z } from 'zod';
import { list } from './setting-types';

/** The demo's shows, one in each of our languages. */
const DEMO_SHOWS = 'ada/lullabies lucia/postales-sonoras';

export const homeShape = {
  HOME_SHOWS: list
    .refine((words) => words.every((word) => /^[a-z0-9-]+\/[^/]+$/.test(word)), 'must list shows such as ada/lullabies')
    .prefault(DEMO_SHOWS),
};
type HomeValues = z.infer<z.ZodObject<typeof homeShape>>;

export type HomeSettings = { homeShows: { domain: string; slug: string }[] };

export function homeSettings({ HOME_SHOWS }: HomeValues): HomeSettings {
  const homeShows = HOME_SHOWS.map((address) => {
    const [domain = '', slug = ''] = address.split('/');
    return { domain, slug };
  });
  return { homeShows };
}

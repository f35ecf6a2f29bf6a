import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { SettingError } from './setting-error';
import { list, text } from './setting-types';

/** The demo's shows, one in each of our languages. */
const DEMO_SHOWS = 'ada/lullabies lucia/postales-sonoras';

export const homeShape = {
  CONTENT_DIR: text.optional(),
  HOME_SHOWS: list
    .refine((words) => words.every((word) => /^[a-z0-9-]+\/[^/]+$/.test(word)), 'must list shows such as ada/lullabies')
    .prefault(DEMO_SHOWS),
};
type HomeValues = z.infer<z.ZodObject<typeof homeShape>>;

export type HomeSettings = {
  homeShows: { domain: string; slug: string }[];
  /** The operator's folder of texts, which replace and complete ours; null without one. */
  contentDir: string | null;
};

export function homeSettings({ HOME_SHOWS, CONTENT_DIR }: HomeValues): HomeSettings {
  const homeShows = HOME_SHOWS.map((address) => {
    const [domain = '', slug = ''] = address.split('/');
    return { domain, slug };
  });
  if (CONTENT_DIR && !fs.statSync(CONTENT_DIR, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingError(`CONTENT_DIR is no folder: ${CONTENT_DIR}`);
  return { homeShows, contentDir: CONTENT_DIR ? path.resolve(CONTENT_DIR) : null };
}

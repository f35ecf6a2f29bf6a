import type { Feature, Plan } from '../limits/plans';
import { SHOW_PAGES, STUDIO_PAGES } from './studio-pages';

/**
 * What creators can do in this build. A capability has a page in the studio, so it is installed once its page exists;
 * texts about plans leave out the others (docs/decisions/0314).
 */
type Capability =
  | 'audience'
  | 'coupons'
  | 'insertions'
  | 'newsletter'
  | 'promos'
  | 'recommendations'
  | 'statistics'
  | 'transcription';

const pages: ReadonlySet<string> = new Set([...Object.values(STUDIO_PAGES), ...SHOW_PAGES].map(({ path }) => path));

/** Spec §2.1 names the paths. */
const PAGE_OF: Record<Capability, string> = {
  audience: 'audience',
  coupons: 'coupons',
  insertions: 'audio-insertion',
  newsletter: 'newsletter',
  promos: 'promotions',
  recommendations: 'recommendation',
  statistics: 'metric',
  transcription: 'episodes/:episodeId/transcription',
};

export const isInstalled = (capability: Capability): boolean => pages.has(PAGE_OF[capability]);

/** The capability that a row of the plans is about; rows without one are about publishing and selling. */
const NEEDED: Partial<Record<Feature | keyof Plan['limits'], Capability>> = {
  contacts: 'audience',
  emails: 'newsletter',
  transcriptionMinutes: 'transcription',
  coupons: 'coupons',
  insertions: 'insertions',
  promos: 'promos',
  recommendations: 'recommendations',
  transcription: 'transcription',
};

/** What an installation can do only with a service that its operator has set up. `transcribes`: it has an engine. */
export type Equipment = { transcribes: boolean };

/** Whether plans of an installation may list a feature or a limit. */
export function isOffered(row: Feature | keyof Plan['limits'], { transcribes }: Equipment): boolean {
  const capability = NEEDED[row];
  if (capability === 'transcription' && !transcribes) return false;
  return capability === undefined || isInstalled(capability);
}

import type { Job } from './job';
import * as accounts from './jobs/accounts';
import * as affiliates from './jobs/affiliates';
import * as apps from './jobs/apps';
import * as audience from './jobs/audience';
import * as billing from './jobs/billing';
import * as creatorBackup from './jobs/creator-backup';
import * as developers from './jobs/developers';
import * as donations from './jobs/donations';
import * as episodes from './jobs/episodes';
import * as feeds from './jobs/feeds';
import * as insertions from './jobs/insertions';
import * as listening from './jobs/listening';
import * as media from './jobs/media';
import * as moving from './jobs/moving';
import * as newsletter from './jobs/newsletter';
import * as notifications from './jobs/notifications';
import * as products from './jobs/products';
import * as recommendations from './jobs/recommendations';
import * as rssImport from './jobs/rss-import';
import * as spotify from './jobs/spotify';
import * as statistics from './jobs/statistics';
import * as status from './jobs/status';
import * as suggestions from './jobs/suggestions';
import * as support from './jobs/support';
import * as team from './jobs/team';
import * as transcription from './jobs/transcription';
import * as vat from './jobs/vat';
import * as webhooks from './jobs/webhooks';

const ROOMS = [
  accounts,
  affiliates,
  apps,
  audience,
  billing,
  creatorBackup,
  developers,
  donations,
  episodes,
  feeds,
  insertions,
  listening,
  media,
  moving,
  newsletter,
  notifications,
  products,
  recommendations,
  rssImport,
  spotify,
  statistics,
  status,
  suggestions,
  support,
  team,
  transcription,
  vat,
  webhooks,
];

/** Every job: its name, payload and retry policy. */
export const ALL_JOBS = ROOMS.flatMap((room) => Object.values(room)) as Job<unknown>[];

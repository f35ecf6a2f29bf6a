import { type Call, call } from '../call';
import {
  byPlayerOut,
  bySystemOut,
  episodeAnalyticsOut,
  evolutionOut,
  metricsOverviewOut,
  showAnalyticsOut,
} from '../serializers/statistics';
import { forEachKind } from './for-each-kind';

const byType = { access: 'owner', names: { audio_type: 'kind' } } as const;

export const statisticsCalls: Call[] = [
  ...forEachKind((kind, { legacy }) => [
    call(`GET ${legacy.analytics}/:id/`, 'statistics.ofShow', {
      access: 'owner',
      summary: 'The plays of a period, by default of the last 30 days: by day, country, player, platform and system.',
      fixed: { kind },
      out: showAnalyticsOut,
    }),
    call(`GET ${legacy.episodeAnalytics}/:id/`, 'statistics.ofEpisode', {
      access: 'owner',
      summary: 'The same for one episode. Countries, players, platforms and systems are those of whole months (UTC).',
      fixed: { kind },
      out: episodeAnalyticsOut,
    }),
  ]),
  call('GET evolution-downloads-metrics/:id/', 'statistics.ofShow', {
    ...byType,
    variant: 'evolution',
    summary: 'The downloads of a show by day, week or month.',
    out: evolutionOut,
  }),
  call('GET player-downloads-metrics/:id/', 'statistics.ofShow', {
    ...byType,
    variant: 'players',
    summary: 'The plays of a show by player.',
    out: byPlayerOut,
  }),
  call('GET os-downloads-metrics/:id/', 'statistics.ofShow', {
    ...byType,
    variant: 'systems',
    summary: 'The plays of a show by operating system.',
    out: bySystemOut,
  }),
  call('GET episodes-metrics-overview/:id', 'statistics.overview', {
    ...byType,
    summary: "The plays of a show today, in 7 and in 30 days of the creator's time zone, and how its episodes started.",
    out: metricsOverviewOut,
  }),
];

import { call, type V1Call } from '../v1-call';
import { episodeStatisticsView, statisticsView } from '../views/statistics';

const shared = { chapter: 'statistics', scope: 'statistics:read' } as const;

export const statisticsCalls: V1Call[] = [
  call('GET /statistics', 'statistics.ofCreator', {
    isExample: true,
    ...shared,
    summary: 'The plays of all shows in a period of local days; by default of the last 30.',
    out: statisticsView,
    exampleQuery: { from: '2026-02-01', to: '2026-02-28' },
  }),
  call('GET /shows/:id/statistics', 'statistics.ofShow', {
    ...shared,
    summary: 'The plays of a show.',
    only: ['id', 'from', 'to', 'zone', 'granularity', 'country', 'app'],
    out: statisticsView,
  }),
  call('GET /episodes/:id/statistics', 'statistics.ofEpisode', {
    ...shared,
    summary: 'The plays of an episode.',
    only: ['id', 'from', 'to', 'zone', 'granularity'],
    out: episodeStatisticsView,
  }),
];

import type { Input, Rule } from './authorization';

type Rows = Record<string, [rule: Rule, input?: () => Input][]>;
type Kind = 'podcast' | 'series';
type Episodes = Record<Kind, { public: { id: number; productId: number } }>;

/** The rows of the authorization matrix about statistics. */
export function statisticsRows(episodes: Episodes) {
  const episode = (kind: Kind) => () => ({ id: episodes[kind].public.id });
  const show = (kind: Kind) => () => ({ id: episodes[kind].public.productId });
  const file = () => ({ ...show('podcast')(), statisticsKey: 'unknown' });
  const typed = () => ({ ...show('podcast')(), audio_type: 'podcast' });
  return {
    procedures: {
      'statistics.ofShow': [['ownMembers', show('podcast')]],
      'statistics.salesOfShow': [['ownMoney', show('podcast')]],
      'statistics.heardOfShow': [['ownMembers', show('podcast')]],
      'statistics.retention': [['ownMembers', episode('podcast')]],
      'statistics.overview': [['ownMembers', show('podcast')]],
      'statistics.live': [['ownMembers', show('podcast')]],
      'statistics.sponsorLinks': [['owner', show('podcast')]],
      'statistics.createSponsorLink': [['owner', () => ({ ...show('podcast')(), name: 'Sponsor', days: 7 })]],
      'statistics.sponsorPage': [['everyone', () => ({ token: 'unknown' })]],
      'statistics.campaignReport': [['everyone', () => ({ token: 'unknown' })]],
      'statistics.ofEpisode': [['ownMembers', episode('podcast')]],
      'importedHistory.sources': [['ownMembers', show('podcast')]],
      'importedHistory.preview': [['refusedWriters', file]],
      'importedHistory.problems': [['refusedWriters', file]],
      'importedHistory.save': [['refusedWriters', file]],
      'importedHistory.remove': [['owner', () => ({ ...show('podcast')(), sourceId: 1, confirmation: '' })]],
    } satisfies Rows,
    rest: {
      'GET podcast-analytics/:id/': [['ownMembers', show('podcast')]],
      'GET audio-series-analytics/:id/': [['ownMembers', show('series')]],
      'GET episode-analytics/:id/': [['ownMembers', episode('podcast')]],
      'GET audio-series-episode-analytics/:id/': [['ownMembers', episode('series')]],
      'GET evolution-downloads-metrics/:id/': [['ownMembers', typed]],
      'GET player-downloads-metrics/:id/': [['ownMembers', typed]],
      'GET os-downloads-metrics/:id/': [['ownMembers', typed]],
      'GET episodes-metrics-overview/:id': [['ownMembers', typed]],
    } satisfies Rows,
  };
}

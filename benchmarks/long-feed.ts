import type { FeedDocument, FeedEpisode } from '~/server/feed/model';
import { sampleFeed } from '~/tests/support/feed-samples';

const NOTES = `<p>${'Una historia de la plaza, contada por quienes la vivieron. '.repeat(18)}</p>`;
const START = Date.UTC(2006, 0, 1);
const DAY = 86_400_000;

/** A feed of `count` episodes with about 1 KB of notes each. */
export function longFeed(episodes: number): FeedDocument {
  return sampleFeed({
    ownerEmail: 'lucia@altavoz.example',
    changedAt: new Date(START + episodes * DAY),
    episodes: Array.from({ length: episodes }, (_, at) => episode(at)),
  });
}

function episode(at: number): FeedEpisode {
  return {
    guid: `917393e3-1b1e-5cef-ace4-${String(at).padStart(12, '0')}`,
    title: `Episodio ${at}: la plaza & el mercado`,
    description: NOTES,
    link: `https://lucia.altavoz.example/p/ruido/episodio-${at}`,
    type: 'full',
    audio: { url: `https://app.altavoz.example/audio/${at}/episodio-${at}.mp3`, bytes: 20_000_000 + at },
    durationMs: 1_800_000 + at * 1000,
    publishedAt: new Date(START + at * DAY),
    season: 1 + Math.floor(at / 50),
    number: 1 + at,
    explicit: false,
  };
}

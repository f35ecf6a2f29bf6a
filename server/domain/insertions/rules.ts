import type { ClipState } from '~/db/values/insertions';
import type { Target } from '../../audio/conform';
import { bitratesOf } from '../../audio/frame-header';

/** The facts on which the state of a campaign depends; days as `2026-11-27`, in the creator's time zone. */
export type CampaignFacts = {
  isComplete: boolean;
  isActive: boolean;
  failureReason: string | null;
  firstDay: string | null;
  lastDay: string | null;
  cap: number | null;
  impressions: number;
  endedAt: Date | null;
  /** Of its clips in the encodings of its episodes: failed if one of them failed, ready if all are. */
  clips: ClipState;
};

export const CAMPAIGN_STATES = ['draft', 'preparing', 'scheduled', 'running', 'paused', 'ended', 'failed'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** The state of a campaign on a day. */
export function campaignStateOf(campaign: CampaignFacts, today: string): CampaignState {
  if (!campaign.isComplete) return 'draft';
  if (hasEnded(campaign, today)) return 'ended';
  if (campaign.failureReason !== null || campaign.clips === 'failed') return 'failed';
  if (!campaign.isActive) return 'paused';
  if (campaign.clips === 'in_progress') return 'preparing';
  return campaign.firstDay !== null && today < campaign.firstDay ? 'scheduled' : 'running';
}

function hasEnded({ endedAt, lastDay, cap, impressions }: CampaignFacts, today: string): boolean {
  return endedAt !== null || (lastDay !== null && today > lastDay) || (cap !== null && impressions >= cap);
}

/** Whether two periods share a day; null is open, and both ends are included. */
export function overlap(
  one: Pick<CampaignFacts, 'firstDay' | 'lastDay'>,
  other: Pick<CampaignFacts, 'firstDay' | 'lastDay'>,
): boolean {
  const begins = (first: string | null, last: string | null) => first === null || last === null || first <= last;
  return begins(one.firstDay, other.lastDay) && begins(other.firstDay, one.lastDay);
}

type StoredFormat = { sampleRate: number; channels: number; bitrate: number };

/**
 * The encoding of an episode's file, as `clip_versions` name it: `1/44100/2/128000`. The sample rate determines the
 * MPEG version. The average of a variable bit rate counts as the nearest of the format, so that such episodes share
 * their clips.
 */
export function encodingOf({ sampleRate, channels, bitrate }: StoredFormat): string {
  const version = versionOf(sampleRate);
  const distance = (kbps: number) => Math.abs(kbps * 1000 - bitrate);
  const nearest = bitratesOf(version).reduce((best, kbps) => (distance(kbps) < distance(best) ? kbps : best));
  return [version, sampleRate, channels, nearest * 1000].join('/');
}

const versionOf = (sampleRate: number) => (sampleRate >= 32_000 ? 1 : sampleRate >= 16_000 ? 2 : 2.5);

/** The format for which a clip is converted, from the columns of its version. */
export function targetOf({ encoding, loudness }: { encoding: string; loudness: number }): Target {
  const [, sampleRate, channels, bitrate] = encoding.split('/').map(Number) as [number, number, number, number];
  const lufs = loudness === 0 ? null : loudness;
  return { version: versionOf(sampleRate), sampleRate, channels: channels === 1 ? 1 : 2, bitrate, lufs };
}

/** The loudness for which a clip is converted, in whole LUFS: few versions serve many episodes. */
export const loudnessStep = (loudnessTenths: number | null): number =>
  loudnessTenths === null ? 0 : Math.round(loudnessTenths / 10);

import type { Actor } from '../runtime/ctx';
import { isUser, worksFor } from './actor';
import { ROLE_ABILITIES, type RoleAbility, roleMay } from './roles';
import { canPlay, canPlayPromo, canReadTranscript, canSee, type EpisodeFacts } from './visibility';

type Owned = { creatorId: number };

/** A team's abilities are about the creator itself, or about an object that belongs to one. */
type TeamSubject<A extends RoleAbility> = A extends `creator.${string}` ? { id: number } : Owned;
type TeamAbilities = { [A in RoleAbility]: (actor: Actor, subject: TeamSubject<A>) => boolean };

const teamAbilities = Object.fromEntries(
  Object.keys(ROLE_ABILITIES).map((name) => [name, teamAbility(name as RoleAbility)]),
) as TeamAbilities;

function teamAbility(ability: RoleAbility) {
  return (actor: Actor, subject: Owned | { id: number }): boolean =>
    isInTeam(actor, ability, subject) && actor.type === 'user' && roleMay(actor.role, ability);
}

/** Whether the actor works, in any role, for the creator who owns the subject of a team's ability. */
export function isInTeam(actor: Actor, ability: Ability, subject: object): boolean {
  if (!(ability in ROLE_ABILITIES)) return false;
  const { creatorId, id } = subject as { creatorId?: number; id?: number };
  const owner = ability.startsWith('creator.') ? id : creatorId;
  return owner !== undefined && worksFor(actor, owner);
}

/** Pure predicates over loaded facts, one for each ability. Those of roles are in roles.ts. */
export const abilities = {
  ...teamAbilities,
  'episode.see': (actor: Actor, episode: EpisodeFacts) => canSee(actor, episode),
  'episode.play': (actor: Actor, episode: EpisodeFacts) => canPlay(actor, episode),
  'episode.play_promo': (actor: Actor, episode: EpisodeFacts) => canPlayPromo(actor, episode),
  'episode.read_transcript': (actor: Actor, episode: EpisodeFacts & { transcriptShowAll: boolean }) =>
    canReadTranscript(actor, episode),
  'upload.use': (actor: Actor, upload: { userId: number }) => isUser(actor, upload.userId),
} as const;

export type Ability = keyof typeof abilities;
export type Subject<A extends Ability> = Parameters<(typeof abilities)[A]>[1];

/** The abilities of each job. A job that is missing here may do nothing. */
export const JOB_ABILITIES: Record<string, Ability[]> = {
  'episodes.check-audio': ['episode.manage'],
  'episodes.fetch-audio': ['episode.manage'],
  'episodes.convert-audio': ['episode.manage'],
  'episodes.measure-loudness': ['episode.manage'],
  'episodes.write-head': ['episode.manage'],
  'episodes.store-chapter-image': ['episode.manage'],
  'episodes.go-live': ['episode.manage'],
  'rss-import.run': ['product.manage', 'episode.manage'],
  'insertions.convert-clip': ['clip.manage'],
  'insertions.prepare-episode': ['episode.manage'],
  'transcription.run': ['episode.manage'],
  'transcription.time-text': ['episode.manage'],
  'suggestions.run': ['episode.manage'],
  'products.complete-conversion': ['product.manage'],
};

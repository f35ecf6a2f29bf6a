import { z } from 'zod';
import { fields } from '../../base/fields';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';

const answer = z.string().max(SPOTIFY_LINK_LIMITS.answerLength, { error: 'field.invalid' });

/** The query with which Spotify returns: `code`, or `error` if the person declined. */
export const finishLinking = z.object({ state: answer, code: answer.optional(), error: answer.optional() });
export const findSpotifyShow = z.object({ productId: fields.id() });

export type FinishLinking = z.infer<typeof finishLinking>;
export type FindSpotifyShow = z.infer<typeof findSpotifyShow>;

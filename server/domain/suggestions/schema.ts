import { z } from 'zod';
import { fields } from '../../base/fields';
import { KIND_NAMES } from '../products/kinds';

/** What can be suggested. Creators take each over separately. */
export const SUGGESTED_PARTS = ['title', 'notes', 'chapters'] as const;
export type SuggestedPart = (typeof SUGGESTED_PARTS)[number];

export const findSuggestions = z.object({ id: fields.id(), kind: fields.oneOf(KIND_NAMES).optional() });
export type FindSuggestions = z.infer<typeof findSuggestions>;

/** `runId`: the suggestions that the caller has read. */
export const takeSuggestion = findSuggestions.extend({ runId: fields.id(), part: fields.oneOf(SUGGESTED_PARTS) });
export type TakeSuggestion = z.infer<typeof takeSuggestion>;

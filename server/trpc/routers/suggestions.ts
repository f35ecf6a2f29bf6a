import * as schema from '~/server/domain/suggestions/schema';
import { startSuggestions } from '~/server/domain/suggestions/start-suggestions';
import { suggestionsState } from '~/server/domain/suggestions/suggestions-state';
import { takeSuggestion } from '~/server/domain/suggestions/take-suggestion';
import { creatorProcedure, router } from '../init';

export const suggestionsRouter = router({
  state: creatorProcedure.input(schema.findSuggestions).query(({ ctx, input }) => suggestionsState(ctx, input)),
  start: creatorProcedure.input(schema.findSuggestions).mutation(({ ctx, input }) => startSuggestions(ctx, input)),
  take: creatorProcedure.input(schema.takeSuggestion).mutation(({ ctx, input }) => takeSuggestion(ctx, input)),
});

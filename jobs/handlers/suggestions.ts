import { runSuggestions as run } from '~/server/domain/suggestions/run-suggestions';
import { runSuggestions } from '~/server/queue/jobs/suggestions';
import { handle } from './handle';

export const suggestionHandlers = [handle(runSuggestions, ({ runId }, ctx) => run(ctx, runId))];

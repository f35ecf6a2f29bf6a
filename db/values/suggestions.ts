/** `failed`: nothing was suggested, for the reason of the run. */
export type SuggestionStatus = 'running' | 'done' | 'failed';

/** The words in a transcript from which a suggestion comes, and when they are said. */
export type Passage = { quote: string; startMs: number | null };
export type SuggestedText = { text: string; passages: Passage[] };
export type SuggestedChapter = { title: string; startMs: number; quote: string };

/** Parts that could not be found in the transcript are missing. */
export type Suggestions = { title: SuggestedText | null; notes: SuggestedText | null; chapters: SuggestedChapter[] };

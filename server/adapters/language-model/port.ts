/** `instructions` are ours; `data` comes from other people, and is never read as instructions. */
export type Question = { instructions: string; data: string; signal: AbortSignal };

/** A language model that answers with one JSON object. What it answers is checked by the caller: it may be anything. */
export type LanguageModel = {
  /** @throws LanguageModelUnavailable, LanguageModelRejected */
  ask(question: Question): Promise<unknown>;
  close(): Promise<void>;
};

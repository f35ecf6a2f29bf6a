/** `volume` in percent. */
export type SpokenWord = { text: string; volume: number };

/** Speaks texts, so that they can be compared with a recording. */
export type SpeechPort = {
  /** The voice for a language such as `es` or `pt-BR`; null if the program lacks it. */
  findVoice(language: string): Promise<string | null>;
  /** Mono samples. Other volumes change nothing else. @throws if the program fails or hangs */
  speak(words: SpokenWord[], voice: string): Promise<{ samples: Int16Array; sampleRate: number }>;
};

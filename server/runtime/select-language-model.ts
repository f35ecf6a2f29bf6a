import type { LanguageModel } from '../adapters/language-model/port';
import type { LanguageModelSettings } from '../env/language-model';
import { openOnce } from '../flow/open-once';

/** The model that the settings name, or none. Its HTTP client is loaded at the first use, because loading it takes time. */
export function selectLanguageModel(settings: LanguageModelSettings): LanguageModel | null {
  if (!settings) return null;
  const driver = openOnce(async () => {
    const { chatModel } = await import('../adapters/language-model/chat');
    return chatModel(settings);
  });
  return {
    ask: async (question) => (await driver.get()).ask(question),
    close: () => driver.ifOpened((opened) => opened.close()),
  };
}

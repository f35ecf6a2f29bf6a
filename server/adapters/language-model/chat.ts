import { z } from 'zod';
import {
  LanguageModelRejected,
  LanguageModelUnavailable,
  TranscriberRejected,
  TranscriberUnavailable,
} from '../../base/errors';
import { type EngineCalls, engineCalls } from '../transcriber/engine-call';
import type { LanguageModel, Question } from './port';

/** `key`: null for one's own server without a key. */
export type ChatSettings = { url: string; key: string | null; model: string };

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});

/** OpenAI's `/v1/chat/completions`, which Ollama, llama.cpp, vLLM, Mistral and others answer, too. */
export function chatModel({ url, key, model }: ChatSettings, calls?: EngineCalls): LanguageModel {
  const engine = calls ?? engineCalls({ url, headers: key ? { authorization: `Bearer ${key}` } : {} });
  async function complete({ instructions, data, signal }: Question, format: object): Promise<unknown> {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: data },
    ];
    const body = () => JSON.stringify({ model, messages, ...format });
    const headers = { 'content-type': 'application/json' };
    const parsed = completion.safeParse(await engine.call({ path: '/chat/completions', headers, body, signal }));
    if (!parsed.success) throw new TranscriberRejected('answer', 'the answer has another shape');
    return readJson(parsed.data.choices[0]!.message.content ?? '');
  }
  return {
    ask: (question) =>
      complete(question, { response_format: { type: 'json_object' } })
        .catch((error) => {
          // some servers do not know the format; a refused question costs nothing
          if (error instanceof TranscriberRejected && error.reason === 'sound') return complete(question, {});
          throw error;
        })
        .catch(throwAsModel),
    close: engine.close,
  };
}

const FENCE = '```';

/** Models like to put JSON between fences. @throws TranscriberRejected */
function readJson(content: string): unknown {
  const text = content.trim();
  const isFenced = text.startsWith(FENCE) && text.endsWith(FENCE) && text.length > 2 * FENCE.length;
  try {
    return JSON.parse(isFenced ? text.slice(FENCE.length, -FENCE.length).replace(/^json\b/, '') : text);
  } catch {
    throw new TranscriberRejected('answer', 'the content is not JSON');
  }
}

/** The calls are those of the engines that transcribe, and so are their errors. */
function throwAsModel(error: unknown): never {
  if (error instanceof TranscriberUnavailable) throw new LanguageModelUnavailable(error.message);
  if (!(error instanceof TranscriberRejected)) throw error;
  const { reason, message } = error;
  throw new LanguageModelRejected(reason === 'account' || reason === 'answer' ? reason : 'question', message);
}

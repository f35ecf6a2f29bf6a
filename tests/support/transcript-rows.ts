import type { Caller } from '~/server/trpc/caller';
import type { Input, Rule } from './authorization';

type Rows = Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;

type Options = { owner: { api: Caller }; show: { id: number; kind: 'podcast' }; episode: { id: number } };

/** Who may open and change the editor of a transcript. */
export function transcriptRows({ owner, show, episode }: Options) {
  const content = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHello there\n').toString('base64');
  const stored = async () => {
    await owner.api.episodes.uploadTranscript({ ...episode, fileName: 'a.vtt', content });
    const { version: editOf } = await owner.api.transcripts.edit(episode);
    return { ...episode, editOf };
  };
  const versionOf = async () => (await owner.api.transcripts.glossary(show)).version;
  const cues = [{ startMs: 1000, endMs: 2000, speaker: null, text: 'Hello here' }];
  return {
    'transcripts.search': [['episode.read', () => ({ words: 'sea' })]],
    'transcripts.edit': [['owner', stored]],
    'transcripts.original': [['owner', stored]],
    'transcripts.save': [['owner', async () => ({ ...(await stored()), changes: [{ at: 0, remove: 1, cues }] })]],
    'transcripts.restore': [['owner', stored]],
    'transcripts.glossary': [['owner', () => show]],
    // writers take turns with the version, so that each call fits
    'transcripts.saveGlossary': [['owner', async () => ({ ...show, lines: 'A = b', editOf: await versionOf() })]],
  } satisfies Rows;
}

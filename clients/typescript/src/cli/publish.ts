import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { AltavozClient } from '../client.js';
import type { Episode, Upload } from '../types.js';
import { type Terminal, UsageError } from './terminal.js';

/** Where `--show` leads. */
type FindShow = (client: AltavozClient, named: string | undefined) => Promise<number>;
type EpisodeType = Episode['type'];
type Made = { terminal: Terminal; client: AltavozClient; findShow: FindShow };

/** Uploads a file, or names its address, and creates its episode, which is published now, at a time, or by hand. */
export async function publishFile({ terminal, client, findShow }: Made, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      show: { type: 'string' },
      name: { type: 'string' },
      notes: { type: 'string' },
      at: { type: 'string' },
      type: { type: 'string' },
      draft: { type: 'boolean', default: false },
      'no-email': { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (!file) throw new UsageError('Name the file: altavoz publish episode.mp3 --show my-show');
  const releaseDate = values.at === undefined ? null : toFuture(values.at, terminal.now());
  const type = values.type === undefined ? undefined : toType(values.type);
  const showId = await findShow(client, values.show);
  const name = values.name ?? nameOf(file);
  const audio = isAddress(file) ? { audio_url: file } : { file_key: await uploadFile(terminal, client, file) };
  const episode = await client.call('POST /shows/:show_id/episodes', {
    params: { show_id: showId },
    body: {
      ...{ name, description: values.notes ?? name, hold: values.draft, ...audio },
      ...(releaseDate && { release_date: releaseDate }),
      ...(type && { type }),
      ...(values['no-email'] && { send_email: false }),
    },
  });
  terminal.print(`Episode ${episode.id}: ${whatFollows(episode, { releaseDate, isDraft: values.draft })}`);
}

const isAddress = (file: string) => /^https?:\/\//i.test(file) && URL.canParse(file);

/** The last part of a path or an address, without its extension. */
function nameOf(file: string): string {
  if (!isAddress(file)) return path.parse(file).name;
  const { pathname, hostname } = new URL(file);
  // a malformed escape stays as it is
  return path.posix.parse(pathname.replaceAll('%20', ' ')).name || hostname;
}

/** The server accepts a release that is so much in the past, too. */
const PAST_SLACK_MS = 5 * 60_000;

/** A time without a zone is this machine's. */
function toFuture(text: string, now: number): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new UsageError(`${text} is no time. Write it as 2026-12-01T08:00`);
  if (at.getTime() < now - PAST_SLACK_MS)
    throw new UsageError(`${text} is in the past. Without --at, the episode is published now.`);
  return at.toISOString();
}

const TYPES: readonly EpisodeType[] = ['public', 'private', 'trailer'];

function toType(text: string): EpisodeType {
  const type = TYPES.find((each) => each === text);
  if (!type) throw new UsageError(`${text} is no type. The types: ${TYPES.join(', ')}`);
  return type;
}

async function uploadFile(terminal: Terminal, client: AltavozClient, file: string): Promise<string> {
  terminal.print(`Uploading ${file} …`);
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new UsageError(`There is no file ${file}.`);
  const content = await openAsBlob(file, { type: 'audio/mpeg' });
  const ticket = await client.call('POST /uploads', {
    body: {
      ...{ file_name: path.basename(file), content_type: content.type, file_size: content.size },
      purpose: 'episode_audio',
    },
  });
  const { url, method, headers } = ticket;
  const sent = terminal.fetch(url, { method, headers, body: bodyOf(ticket, content) });
  const response = await sent.catch((error: Error) => {
    throw new UsageError(`${error.message}. The server names this host for uploads; it must be reachable from here.`);
  });
  if (!response.ok) throw new UsageError(`The upload failed with status ${response.status}. Try again.`);
  return ticket.key;
}

/** A form has the file last; otherwise, the body is the file. */
function bodyOf({ method, fields }: Upload, content: Blob): Blob | FormData {
  if (method === 'PUT') return content;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', content);
  return form;
}

type Plan = { releaseDate: string | null; isDraft: boolean };

function whatFollows({ status, audio, page_url }: Episode, { releaseDate, isDraft }: Plan): string {
  if (status === 'failed') return 'its audio can’t be published; the studio says why';
  const once =
    audio.status === 'fetching' ? 'once its audio has been fetched and checked' : 'once its audio is checked';
  if (isDraft) return `a draft, ${once}`;
  return `${releaseDate ? `scheduled for ${releaseDate}` : 'published'} ${once}: ${page_url}`;
}

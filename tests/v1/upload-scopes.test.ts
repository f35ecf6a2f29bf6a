import { expect, test } from 'vitest';
import type { Scope } from '~/db/values/api-scopes';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';

const opened = await cast({ empty: true });
const { make } = opened;
const api = v1Client(opened);
const keyOf = keyMaker(opened);

const AUDIO = { file_name: 'a.mp3', content_type: 'audio/mpeg', file_size: 480_000 };
const PICTURE = { file_name: 'a.png', content_type: 'image/png', file_size: 48_000 };

test.each<[string, object, Scope]>([
  ['insertion_audio', AUDIO, 'insertions:write'],
  ['episode_audio', AUDIO, 'episodes:write'],
  ['chapter_image', PICTURE, 'episodes:write'],
  ['cover', PICTURE, 'shows:write'],
  ['edition_picture', PICTURE, 'editions:write'],
])('a file for the purpose %s needs the scope of the call that takes it', async (purpose, file, scope) => {
  const owner = await make.creator();
  const other: Scope = scope === 'shows:write' ? 'insertions:write' : 'shows:write';
  const json = { ...file, purpose };

  const allowed = await api.post('/uploads', { key: await keyOf(owner, [scope]), json });
  const refused = await api.post('/uploads', { key: await keyOf(owner, [other]), json });

  expect([allowed.status, refused.status]).toEqual([201, 403]);
  expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
});

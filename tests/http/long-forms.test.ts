import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { FEED_LIMITS } from '~/server/limits/feeds';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { runtime, sendRaw, lucia, podcast, episodes: made } = await attackedServer();
const { id } = made.podcast.public;

test('a form saves notes as long as an import brings them, in each script', async () => {
  const notes = 'я'.repeat(FEED_LIMITS.notesBytes / 2 - 10);
  const body = `${new URLSearchParams({ name: 'Long', description: `<p>${notes}</p>` })}`;
  const path = `/podcasts/${podcast.id}/episodes/edit/${id}`;
  const form = `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n`;

  const { status } = await sendRaw(
    `POST ${path} HTTP/1.1\r\nhost: ${APP_HOST}\r\norigin: http://${APP_HOST}\r\ncookie: token=${lucia.token}\r\n${form}\r\n${body}`,
  );
  const [saved] = await runtime.db.select().from(episodes).where(eq(episodes.id, id));

  expect([status, saved!.description.length]).toEqual([302, notes.length + 7]);
});

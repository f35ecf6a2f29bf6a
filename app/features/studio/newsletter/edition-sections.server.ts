import { data } from '@remix-run/node';
import { withDoneMessage } from '~/app/lib/done-message';
import type { Door } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import type { Section } from '~/app/lib/section-action.server';
import { readSendTime } from '~/server/domain/newsletter/rules';
import { type EditionStep, nextStep, stepIn } from './edition-steps';
import type { Checked } from './link-check';

const idOf = ({ params }: Door) => parseId(params.id);

const FIELDS: Record<EditionStep, readonly string[]> = {
  content: ['title', 'preheader', 'content', 'tags'],
  audience: ['audience'],
  seo: ['slug', 'description', 'seoTitle', 'seoDescription', 'isInArchive'],
  review: [],
};

/** What the forms of an edition do, by their intent; the one without an intent saves the fields of the shown step. */
export const editionSections: Record<string, Section<string | Response>> = {
  '': async (door, { revision = '', ...values }) => {
    const step = stepIn(door.url);
    const own = Object.fromEntries(FIELDS[step].map((name) => [name, values[name] ?? '']));
    await door.api.editions.update({ id: idOf(door), revision, ...own } as never);
    return pathsFor(door.url).editEdition(idOf(door), nextStep(step));
  },
  restore: async (door, { version = '' }) => {
    await door.api.editions.restore({ id: idOf(door), version } as never);
    return withDoneMessage(pathsFor(door.url).editEdition(idOf(door)), 'edition_restored');
  },
  delete: async (door) => {
    await door.api.editions.delete({ id: idOf(door) });
    return withDoneMessage(pathsFor(door.url).newsletter, 'edition_deleted');
  },
  test: async (door, { to = '', part }) => {
    await door.api.editions.sendTest({ id: idOf(door), to, ...(part && { part: part as 'free' }) });
    return withDoneMessage(pathsFor(door.url).editEdition(idOf(door), 'review'), 'edition_tested');
  },
  links: async (door) => {
    const links = await door.api.editions.checkLinks({ id: idOf(door) });
    return data({ ok: true, links } satisfies Checked) as never;
  },
  send: async (door, { revision = '' }) => {
    await door.api.editions.send({ id: idOf(door), revision } as never);
    return pathsFor(door.url).edition(idOf(door));
  },
  schedule: async (door, { revision = '', sendAt = '' }) => {
    const creator = await door.api.creators.mine();
    // an unreadable time is refused with the field's own error
    const at = readSendTime(sendAt, creator?.timeZone ?? 'UTC') ?? sendAt;
    await door.api.editions.send({ id: idOf(door), revision, sendAt: at || 'none' } as never);
    return withDoneMessage(pathsFor(door.url).newsletter, 'edition_scheduled');
  },
  unschedule: async (door) => {
    await door.api.editions.cancel({ id: idOf(door) });
    return withDoneMessage(pathsFor(door.url).editEdition(idOf(door), 'review'), 'edition_unscheduled');
  },
};

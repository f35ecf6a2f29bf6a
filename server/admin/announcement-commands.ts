import { publishAnnouncement as publish, withdrawAnnouncement } from '../domain/console/publish-announcement';
import { publishAnnouncement } from '../domain/console/schema';
import { listAnnouncements } from '../domain/reference/announcements';
import { type Command, type CommandGroup, requireRowId, timeCell, UsageError } from './command';

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listAnnouncements(ctx)).map(({ id, level, textEn, startsAt, endsAt, withdrawnAt, createdBy }) => ({
      ...{ id, level, from: startsAt.toISOString(), until: endsAt.toISOString(), withdrawn: timeCell(withdrawnAt) },
      ...{ by: createdBy, text: textEn },
    }));
  },
};

const add: Command = {
  usage: 'add --en TEXT --es TEXT --until TIME [--from TIME] [--level info|warning] [--link URL]',
  options: ['en', 'es', 'until', 'from', 'level', 'link'],
  async run({ ctx, operator }, args, { en, es, ...options }) {
    const parsed = publishAnnouncement.safeParse({ textEn: en, textEs: es, ...options });
    if (!parsed.success || args.length > 0)
      throw new UsageError('expected two texts and a time in UTC, such as 2026-12-01T18:00');
    return [{ ...(await publish(ctx, { operator, ...parsed.data })), state: 'published' }];
  },
};

const withdraw: Command = {
  usage: 'withdraw ID',
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await withdrawAnnouncement(ctx, { operator, id });
    return [{ id, state: 'withdrawn' }];
  },
};

export const announcementCommands: CommandGroup = { list, add, withdraw };

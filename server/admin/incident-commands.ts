import { COMPONENTS } from '~/db/values/status';
import {
  listIncidents,
  openIncident,
  removeIncident,
  resolveIncident,
  updateIncident,
} from '../domain/status/incidents';
import * as schema from '../domain/status/schema';
import { INCIDENT_LIMITS } from '../limits/status';
import { type Command, type CommandGroup, requireRowId, timeCell, UsageError } from './command';

const TEXTS = `two texts of at most ${INCIDENT_LIMITS.textLength} characters`;
const TIME = 'a time in UTC, such as 2026-12-01T18:00';

const list: Command = {
  usage: 'list',
  async run({ ctx }) {
    return (await listIncidents(ctx)).map(({ id, severity, components, titleEn, startedAt, resolvedAt, ...row }) => ({
      ...{ id, severity, components: components.join(), from: startedAt.toISOString() },
      ...{ resolved: timeCell(resolvedAt), texts: row.updates.length, by: row.createdBy, title: titleEn },
    }));
  },
};

const open: Command = {
  usage:
    'open --title-en TITLE --title-es TITLE --en TEXT --es TEXT [--severity minor|major] ' +
    `[--components ${COMPONENTS.join()}] [--from TIME]`,
  options: ['title-en', 'title-es', 'en', 'es', 'severity', 'components', 'from'],
  async run({ ctx, operator }, args, { en, es, 'title-en': titleEn, 'title-es': titleEs, ...options }) {
    const parsed = schema.openIncident.safeParse({ textEn: en, textEs: es, titleEn, titleEs, ...options });
    if (!parsed.success || args.length > 0)
      throw new UsageError(
        `expected two titles of at most ${INCIDENT_LIMITS.titleLength} characters and ${TEXTS}; ` +
          `--severity minor or major, --components of ${COMPONENTS.join()}, and --from ${TIME}`,
      );
    return [{ ...(await openIncident(ctx, { operator, ...parsed.data })), state: 'open' }];
  },
};

const update: Command = {
  usage: 'update ID --en TEXT --es TEXT',
  options: ['en', 'es'],
  async run({ ctx, operator }, args, { en, es }) {
    const id = requireRowId(args);
    const parsed = schema.incidentText.safeParse({ textEn: en, textEs: es });
    if (!parsed.success) throw new UsageError(`expected ${TEXTS}`);
    await updateIncident(ctx, { operator, id, ...parsed.data });
    return [{ id, state: 'updated' }];
  },
};

const resolve: Command = {
  usage: 'resolve ID --en TEXT --es TEXT [--at TIME]',
  options: ['en', 'es', 'at'],
  async run({ ctx, operator }, args, { en, es, at }) {
    const id = requireRowId(args);
    const parsed = schema.resolveIncident.safeParse({ textEn: en, textEs: es, at });
    if (!parsed.success) throw new UsageError(`expected ${TEXTS}; --at ${TIME}`);
    await resolveIncident(ctx, { operator, id, ...parsed.data });
    return [{ id, state: 'resolved' }];
  },
};

const remove: Command = {
  usage: 'remove ID',
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await removeIncident(ctx, { operator, id });
    return [{ id, state: 'removed' }];
  },
};

export const incidentCommands: CommandGroup = { list, open, update, resolve, remove };

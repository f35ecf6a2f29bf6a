import { createReadStream } from 'node:fs';
import path from 'node:path';
import { LOG_FORMATS } from '~/db/values/log-imports';
import { importLogs } from '../domain/listening/import-log';
import { type Cell, type Command, UsageError } from './command';

const FORMATS = LOG_FORMATS.join('|');

/** All files of a period in one command: at its end, the keys of their listeners are deleted. */
export const importLog: Command = {
  usage: `import-log FILE... --format ${FORMATS}`,
  options: ['format'],
  async run({ ctx, operator }, args, options) {
    const format = LOG_FORMATS.find((name) => name === options.format);
    if (!format || args.length === 0) throw new UsageError(`expected files, and --format ${FORMATS}`);
    const files = args.map((file) => ({ name: path.basename(file), open: () => createReadStream(file) }));
    const imported = await importLogs(ctx, { operator, format, files });
    return imported.map(({ name, isNew, lines, counts, bad }): Record<string, Cell> => {
      const { delivered = 0, machines = 0, ignored = 0, unknown = 0, ...faults } = counts;
      const reasons = Object.entries(faults).map(([reason, times]) => `${reason}: ${times}`);
      return {
        file: name,
        state: isNew ? 'counted' : 'counted before',
        ...{ lines, deliveries: delivered, machines, ignored, 'unknown episodes': unknown },
        'bad lines': [...reasons, ...(bad.length > 0 ? [`first: ${bad.join(' ')}`] : [])].join(', ') || null,
      };
    });
  },
};

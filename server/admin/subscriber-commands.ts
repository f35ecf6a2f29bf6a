import { createReadStream } from 'node:fs';
import { BadCsv, readCsv } from '../base/read-csv';
import { copiedCustomersFor } from '../domain/moving/subscriber-imports/copied-customers';
import { SUBSCRIBER_IMPORT_LIMITS } from '../limits/moving';
import { type Command, type CommandGroup, UsageError } from './command';

/** Customers that the provider has copied into our account: only this creator can import them (docs/decisions/0246). */
const copied: Command = {
  usage: 'copied DOMAIN FILE',
  async run({ ctx, operator }, [domain = '', file = '']) {
    if (domain === '' || file === '')
      throw new UsageError('expected a creator’s domain, and the provider’s CSV of the copied customers');
    const customers = await customersIn(file);
    const noted = await copiedCustomersFor(ctx, { operator, domain, customers });
    return [{ creator: domain, customers: customers.length, noted, ofOthers: customers.length - noted }];
  },
};

/** Every cell that contains a customer id, without duplicates. @throws UsageError */
async function customersIn(file: string): Promise<string[]> {
  const found = new Set<string>();
  try {
    for await (const row of readCsv(createReadStream(file), SUBSCRIBER_IMPORT_LIMITS))
      for (const cell of row) if (/^cus_[A-Za-z0-9]{1,96}$/.test(cell)) found.add(cell);
  } catch (error) {
    throw error instanceof BadCsv ? new UsageError(`${file} is no CSV file`) : error;
  }
  if (found.size === 0) throw new UsageError(`${file} has no customer IDs, which begin with cus_`);
  return [...found];
}

export const subscriberCommands: CommandGroup = { copied };

import type postgres from 'postgres';

export type HeldWrites = {
  /** The number of calls that wait to change something. */
  waiting(): Promise<number>;
  release(): Promise<void>;
};

/** Lets every call that changes something wait until `release`, as if another one took long. */
export async function holdWrites(client: postgres.Sql): Promise<HeldWrites> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked) => {
    held = client.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtext('sandbox_stripe.write'))`;
      locked();
      await released;
    });
  });
  return {
    waiting: async () => (await client`select 1 from pg_locks where locktype = 'advisory' and not granted`).length,
    async release() {
      release();
      await held;
    },
  };
}

import type postgres from 'postgres';

/** `submittedAt`: in milliseconds. */
export type SandboxFeed = { uri: string; name: string; url: string; submittedAt: number; status: string | null };
export type SandboxUser = { account: string; entitlements: string[] };
export type SandboxStore = Awaited<ReturnType<typeof openStore>>;

/** Its tables are in a schema of their own, outside the product's migrations, so that production never has them. */
export async function openStore(client: postgres.Sql) {
  await client.unsafe(`
    select pg_advisory_xact_lock(hashtext('sandbox.spotify'));
    create schema if not exists sandbox;
    create table if not exists sandbox.spotify_users (
      partner_user_id text primary key,
      account text not null unique,
      entitlements text[] not null
    );
    create table if not exists sandbox.spotify_feeds (
      uri text primary key,
      name text not null,
      url text not null unique,
      submitted_at timestamptz not null,
      status text
    );
  `);
  return {
    /** @returns whether the account was free, or linked to this user already */
    async register(user: { id: string; account: string; entitlements: string[] }): Promise<boolean> {
      const { id, account, entitlements } = user;
      const rows = await client`
        insert into sandbox.spotify_users (partner_user_id, account, entitlements)
        select ${id}, ${account}, ${entitlements}
        where not exists (select from sandbox.spotify_users where account = ${account} and partner_user_id <> ${id})
        on conflict (partner_user_id) do update set account = excluded.account, entitlements = excluded.entitlements
        returning 1`;
      return rows.length > 0;
    },
    async entitlementsOf(id: string): Promise<string[] | null> {
      const [row] = await client<{ entitlements: string[] }[]>`
        select entitlements from sandbox.spotify_users where partner_user_id = ${id}`;
      return row?.entitlements ?? null;
    },
    async setEntitlements(id: string, entitlements: string[]): Promise<void> {
      await client`update sandbox.spotify_users set entitlements = ${entitlements} where partner_user_id = ${id}`;
    },
    async unlink(id: string): Promise<boolean> {
      return (await client`delete from sandbox.spotify_users where partner_user_id = ${id}`).count > 0;
    },
    /** @returns the URI that the feed has or gets; null if another show has its name */
    async submit(feed: { uri: string; name: string; url: string; at: Date }): Promise<string | null> {
      const { uri, name, url, at } = feed;
      const [row] = await client<{ uri: string }[]>`
        insert into sandbox.spotify_feeds (uri, name, url, submitted_at)
        select ${uri}, ${name}, ${url}, ${at.toISOString()}::timestamptz
        where not exists (
          select from sandbox.spotify_feeds where lower(name) = lower(${name}) and url <> ${url})
        on conflict (url) do update set name = excluded.name returning uri`;
      return row?.uri ?? null;
    },
    /** The last ones first. */
    async listFeeds(limit: number): Promise<SandboxFeed[]> {
      return [
        ...(await client<SandboxFeed[]>`
          select uri, name, url, (extract(epoch from submitted_at) * 1000)::float8 as "submittedAt", status
          from sandbox.spotify_feeds order by submitted_at desc, uri limit ${limit}`),
      ];
    },
    async listUsers(limit: number): Promise<SandboxUser[]> {
      return [
        ...(await client<SandboxUser[]>`
          select account, entitlements from sandbox.spotify_users order by account limit ${limit}`),
      ];
    },
    async feed(uri: string): Promise<SandboxFeed | null> {
      const [row] = await client<SandboxFeed[]>`
        select uri, name, url, (extract(epoch from submitted_at) * 1000)::float8 as "submittedAt", status from sandbox.spotify_feeds where uri = ${uri}`;
      return row ?? null;
    },
    async setStatus(uri: string, status: string | null): Promise<void> {
      await client`update sandbox.spotify_feeds set status = ${status} where uri = ${uri}`;
    },
    async remove(uri: string): Promise<boolean> {
      return (await client`delete from sandbox.spotify_feeds where uri = ${uri}`).count > 0;
    },
  };
}

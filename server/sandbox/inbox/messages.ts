import type { Email } from 'postal-mime';
import type postgres from 'postgres';

export type Message = {
  id: string;
  from: string;
  /** Every recipient, lower case. */
  to: string[];
  subject: string;
  html: string;
  text: string;
  headers: { key: string; value: string }[];
  receivedAt: Date;
};

/** Older messages are deleted: the inbox is not an archive. */
const MAX_STORED = 500;
const MAX_LISTED = 100;

export type Messages = Awaited<ReturnType<typeof openMessages>>;

/** The inbox's table is in a schema of its own, outside the product's migrations, so that production never has it. */
export async function openMessages(client: postgres.Sql) {
  await client.unsafe(`
    select pg_advisory_xact_lock(hashtext('sandbox.messages'));
    create schema if not exists sandbox;
    create table if not exists sandbox.messages (
      number bigint generated always as identity primary key,
      id uuid not null unique default gen_random_uuid(),
      "from" text not null,
      "to" text[] not null,
      subject text not null,
      html text not null,
      text text not null,
      headers jsonb not null,
      received_at timestamptz not null default now()
    );
  `);
  const columns = client`id, "from", "to", subject, html, text, headers, received_at as "receivedAt"`;
  // Drizzle shares this client and makes it return timestamps as text
  const toMessage = (row: Message): Message => ({ ...row, receivedAt: new Date(row.receivedAt) });
  return {
    async keep(mail: Email, envelope: { from: string; to: string[] }): Promise<void> {
      const sender = mail.from?.address ? `${mail.from.name ?? ''} <${mail.from.address}>`.trim() : envelope.from;
      const headers = JSON.stringify(mail.headers.map(({ key, value }) => ({ key, value })));
      await client`
        insert into sandbox.messages ("from", "to", subject, html, text, headers)
        values (${sender}, ${envelope.to.map((to) => to.toLowerCase())}, ${mail.subject ?? ''},
          ${mail.html ?? ''}, ${mail.text ?? ''}, ${headers}::text::jsonb)`;
      await client`
        delete from sandbox.messages
        where number <= (select number from sandbox.messages order by number desc offset ${MAX_STORED} limit 1)`;
    },
    /** Newest first. @param to only messages for this address */
    async list(to: string | null): Promise<Message[]> {
      const recipientCondition = to === null ? client`true` : client`${to.trim().toLowerCase()} = any("to")`;
      const rows = await client<Message[]>`
        select ${columns} from sandbox.messages where ${recipientCondition} order by number desc limit ${MAX_LISTED}`;
      return rows.map(toMessage);
    },
    async find(id: string): Promise<Message | null> {
      const [found] = await client<Message[]>`select ${columns} from sandbox.messages where id::text = ${id}`;
      return found ? toMessage(found) : null;
    },
  };
}

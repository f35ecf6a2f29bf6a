import type { z } from 'zod';
import type { Scope } from '~/db/values/api-scopes';
import { MCP_LIMITS } from '../../limits/apps';
import type { Caller } from '../../trpc/caller';
import type { ApiCtx } from '../../trpc/init';

/** `read` changes nothing, `draft` changes what nobody sees yet, `link` returns a page on which the person decides. */
export type ToolEffect = 'read' | 'draft' | 'link';

export type ToolContext = { api: Caller; ctx: ApiCtx; creatorId: number };

export type Tool = {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  effect: ToolEffect;
  input: z.ZodObject;
  run(tools: ToolContext, input: never): Promise<object>;
};

type Definition<Input extends z.ZodObject> = Omit<Tool, 'input' | 'run'> & {
  input: Input;
  run(tools: ToolContext, input: z.output<Input>): Promise<object>;
};

export const tool = <Input extends z.ZodObject>(definition: Definition<Input>): Tool => definition as unknown as Tool;

/** Text that people outside the team wrote or said. The server's instructions forbid assistants to obey it. */
export const untrusted = (text: string): { untrusted: string } => ({ untrusted: cutText(text, MCP_LIMITS.untrusted) });

/** A long text says itself that it was cut. */
export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} [cut: ${length} of ${text.length} characters]` : text;
}

/** The answer of a tool as text. One that is too long says so, and how to get less. */
export function toolText(value: object): string {
  const text = JSON.stringify(value);
  const { text: most } = MCP_LIMITS;
  if (text.length <= most) return text;
  return `${text.slice(0, most)}\n[cut: ${most} of ${text.length} characters; ask for one page or one object]`;
}

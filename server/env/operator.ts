import { z } from 'zod';
import type { UrlSettings } from '../urls';
import { needsOwnServices, type processShape, requireService } from './process';
import { address, text } from './setting-types';

export const operatorShape = {
  OPERATOR_NAME: text.optional(),
  OPERATOR_EMAIL: z.email('must be an email address').optional(),
  OPERATOR_ADDRESS: text.optional(),
  HELP_URL: address('http:', 'https:').optional(),
  SUPPORT_CHAT: z
    .string()
    .regex(/^(?:crisp:[0-9a-f-]{36}|intercom:[a-z0-9]{4,20})$/i, 'must be crisp:{website ID} or intercom:{app ID}')
    .optional(),
};
type Values = z.infer<z.ZodObject<typeof operatorShape & typeof processShape>>;

/** Who runs this installation: named on the legal pages, and the recipient of the contact form. */
export type OperatorSettings = { name: string; email: string; address: string | null };
/** A chat with the operator, which another company provides. */
export type ChatSettings = { provider: 'crisp' | 'intercom'; id: string };
export type SupportSettings = { operator: OperatorSettings; helpUrl: string | null; chat: ChatSettings | null };

export function supportSettings(values: Values, { publicRoot }: UrlSettings): SupportSettings {
  if (needsOwnServices(values)) {
    requireService('OPERATOR_NAME', values.OPERATOR_NAME);
    requireService('OPERATOR_EMAIL', values.OPERATOR_EMAIL);
  }
  return {
    operator: {
      name: values.OPERATOR_NAME ?? 'Altavoz',
      email: values.OPERATOR_EMAIL ?? `hello@${publicRoot.replace(/:\d+$/, '')}`,
      address: values.OPERATOR_ADDRESS ?? null,
    },
    helpUrl: values.HELP_URL ?? null,
    chat: chatSettings(values.SUPPORT_CHAT),
  };
}

function chatSettings(setting: string | undefined): ChatSettings | null {
  const [provider, id] = setting?.toLowerCase().split(':') ?? [];
  return id && (provider === 'crisp' || provider === 'intercom') ? { provider, id } : null;
}

import type { Input, Rule } from './authorization';

/** The rows of the authorization matrix about messages to operators. */
export const supportRows = ({ domain }: { domain: string }) =>
  ({
    'support.viewReported': [['everyone', () => ({ page: { domain } })]],
    'support.reportAbuse': [['everyone', () => ({ page: { domain }, reason: 'hate', text: 'T', isInGoodFaith: true })]],
    'support.sendMessage': [['everyone', () => ({ name: 'A', email: 'a@mail.example', subject: 'B', text: 'C' })]],
  }) satisfies Record<string, [rule: Rule, input?: () => Input][]>;

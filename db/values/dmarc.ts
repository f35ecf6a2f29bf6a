/** A server that sent emails in the name of a domain. */
export type DmarcSource = { ip: string; messages: number; passed: number };

/** Enhanced codes of addresses that don't exist (RFC 3463 §3.2, 3.3; RFC 7505). */
const HARD_STATUS = /^5\.(?:1\.(?:0|1|2|3|6|10)|2\.1)$/;

/** Whether no email will ever reach the address. Full mailboxes and rejected contents are soft. */
export const isHardStatus = (status: string): boolean => HARD_STATUS.test(status);

/** Basic codes of such addresses, if there is no enhanced one. */
export const isHardCode = (code: number): boolean => [550, 551, 553].includes(code);

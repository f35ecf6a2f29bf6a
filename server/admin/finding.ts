/** `manual`: something that only a person can check. */
export type Finding = { state: 'ok' | 'manual' | 'warning' | 'problem'; check: string; message: string };

export const ok = (check: string, message: string): Finding => ({ state: 'ok', check, message });
export const manual = (check: string, message: string): Finding => ({ state: 'manual', check, message });
export const warning = (check: string, message: string): Finding => ({ state: 'warning', check, message });
export const problem = (check: string, message: string): Finding => ({ state: 'problem', check, message });

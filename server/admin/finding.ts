export type Finding = { state: 'ok' | 'warning' | 'problem'; check: string; message: string };

export const ok = (check: string, message: string): Finding => ({ state: 'ok', check, message });
export const warning = (check: string, message: string): Finding => ({ state: 'warning', check, message });
export const problem = (check: string, message: string): Finding => ({ state: 'problem', check, message });

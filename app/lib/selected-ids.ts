const SELECTED = /^select\.(\d+)$/;

/** The name of the checkbox that selects a row of a list. Each box has its own name. */
export const selectionName = (id: number) => `select.${id}`;

/** The ids of the ticked boxes. */
export function selectedIds(values: Record<string, string>): number[] {
  return Object.keys(values).flatMap((name) => Number(SELECTED.exec(name)?.[1]) || []);
}

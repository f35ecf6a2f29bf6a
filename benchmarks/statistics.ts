import { rm } from 'node:fs/promises';
import { catchUpRow } from './statistics/catch-up';
import { chartRows, openHistory } from './statistics/charts';
import { clickHouseRows } from './statistics/clickhouse-history';
import { type History, prepareHistory } from './statistics/history';
import { statisticsPageRows } from './statistics/page';
import { rebuildRows } from './statistics/rebuild';
import { userAgentRows } from './statistics/user-agents';
import { type BenchmarkRow, megabytes } from './table';

/** Millions of downloads of both histories; fewer for a quick look. */
const SIZES = (process.env.STATISTICS_MILLIONS ?? '10,100').split(',').map(Number);

/** What statistics cost: to recognise clients, to draw charts of long histories, and to count a month again. */
export async function run(): Promise<BenchmarkRow[]> {
  const histories: History[] = [];
  for (const millions of SIZES) histories.push(await prepareHistory(millions * 1_000_000));
  const open = await Promise.all(histories.map(openHistory));
  const largest = open.at(-1)!;
  const rows = histories.map(sizeRow);
  for (const each of open) rows.push(await catchUpRow(each));
  rows.push(...(await chartRows(open)), ...(await rebuildRows(largest)));
  rows.push(...(await clickHouseRows(largest)));
  for (const { close } of open) await close();
  rows.push(...(await statisticsPageRows(largest.history)), ...(await userAgentRows()));
  for (const { close, dataDir } of histories) {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  }
  return rows;
}

function sizeRow({ made }: History): BenchmarkRow {
  const count = (value: number) => value.toLocaleString('en');
  return {
    label: `${count(made.downloads)} downloads of 1,000 shows in two years`,
    figure: `${megabytes(made.bytes)} of sums`,
    details: `${count(made.days)} days, ${count(made.months)} months of episodes, ${count(made.raw)} raw events; made in ${Math.round(made.seconds)} s`,
  };
}

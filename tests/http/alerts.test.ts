import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import perfHooks from 'node:perf_hooks';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runBackup } from '~/server/backup/run-backup';
import { parseEnv } from '~/server/env/read';
import { createMetrics } from '~/server/http/metrics';
import { startWeb } from '~/server/web';
import { printed } from '../support/backed-up';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';
import { toolPath } from '../support/tools';

const RULES = 'deploy/prometheus-alerts.yml';
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const { runtime, dataDir, env, url, inbox, stripeSandbox } = await cast({ empty: true });
const names = new Set(
  [...(await createMetrics(runtime).read()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  ),
);
const dashboard: Dashboard = JSON.parse(fs.readFileSync('deploy/grafana-dashboard.json', 'utf8'));
const ofDashboard = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
const ofRules = [...fs.readFileSync(RULES, 'utf8').matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr);

/** The names in an expression that are neither functions, keywords nor labels. */
function metricsOf(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without) ?\([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z]\w+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !/^(?:by|without)$/.test(name));
}

test('alerts and dashboard name only metrics that a process shows', () => {
  const named = [...ofRules, ...ofDashboard].flatMap(metricsOf);

  expect(ofRules.length).toBeGreaterThan(9);
  expect(named.length).toBeGreaterThan(25);
  expect(
    [...new Set(named)].filter((name) => !names.has(name)),
    'of Prometheus itself',
  ).toEqual(['up']);
});

test.skipIf(toolPath('promtool') === null)('promtool, where installed, reads every rule and expression', () => {
  const rules = {
    groups: [{ name: 'dashboard', rules: ofDashboard.map((expr, i) => ({ record: `panel_${i}`, expr })) }],
  };
  const file = path.join(dataDir, 'dashboard.yml');
  fs.writeFileSync(file, JSON.stringify(rules).replaceAll('$__rate_interval', '5m'));

  expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('rules found');
  expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain('rules found');
});

/** Whether a response of `/metrics` has a series for each selector of the alert's expression. */
function hasSeries(alert: string, metrics: string): boolean {
  const [, expression = ''] = new RegExp(`alert: ${alert}\\n +expr: (.+)`).exec(fs.readFileSync(RULES, 'utf8')) ?? [];
  const selectors = [...expression.matchAll(/\b([a-z_]+_seconds|[a-z_]+_total|jobs)(?:\{([^}]*)\})?/g)];
  return (
    selectors.length > 0 &&
    selectors.every(([, name, labels = '']) => {
      const wanted = [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(
        ([, label, value]) => `(?=.*\\b${label}="(?:${value})")`,
      );
      return new RegExp(`^${name}(?:\\{${wanted.join('')}.*\\})? (?!0$)`, 'm').test(metrics);
    })
  );
}

const ALERTS = ['FailedJobsStay', 'WebhooksFail', 'BackupOld'];

test('jobs that stay failed, rejected events of the payment provider and a backup appear in the metrics of their alerts', async () => {
  const opened = {
    runtime,
    jobsRuntime: runtime,
    directUrl: url,
    inbox,
    stripeSandbox,
    identitySandbox: null,
    spotifySandbox: null,
    dnsZone: null,
  };
  const settings = { ...env, port: 0, host: '127.0.0.1', stopGrace: 0 };
  const web = await startWeb(
    settings,
    { ...opened, close: async () => {} },
    { development: false, build: pagesBuild() },
  );
  onTestFinished(() => web.close());
  const origin = `http://127.0.0.1:${web.port}`;
  const series = async () => {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    return ALERTS.filter((alert) => hasSeries(alert, metrics));
  };
  const before = await series();

  await runtime.db.execute(sql`insert into pgboss.job (name, state) select name, 'failed' from pgboss.queue limit 1`);
  const event = await fetch(`${origin}/webhooks/stripe`, { method: 'POST', body: '{}' });
  const backup = await printed(() =>
    runBackup(parseEnv({ DATABASE_URL: url, DATA_DIR: dataDir }), ['--backup', '--to', path.join(dataDir, 'backups')]),
  );

  expect([before, event.status, backup.code]).toEqual([[], 400, 0]);
  await expect.poll(series).toEqual(ALERTS);
});

test('the measurement of the event loop’s lag wakes an idle process at most twenty times a second', () => {
  const monitor = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
  onTestFinished(() => monitor.mockRestore());

  createMetrics(runtime);

  expect(monitor.mock.calls).toEqual([[{ resolution: 50 }]]);
});

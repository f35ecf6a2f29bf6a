import { runInSandbox } from './run-suite';
import { webhookChecks } from './webhooks.suite';

await runInSandbox(webhookChecks);

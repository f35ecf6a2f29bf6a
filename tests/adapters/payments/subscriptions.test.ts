import { runInSandbox } from './run-suite';
import { subscriptionChecks } from './subscriptions.suite';

await runInSandbox(subscriptionChecks);

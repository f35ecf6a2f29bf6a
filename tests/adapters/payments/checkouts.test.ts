import { checkoutChecks } from './checkouts.suite';
import { runInSandbox } from './run-suite';

await runInSandbox(checkoutChecks);

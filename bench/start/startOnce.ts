// A separate process: starts once according to its argument, `StartOptions` as JSON, and prints the outcome as JSON.
import { firstRequest } from './firstRequest.ts';
import type { StartOptions } from './startOptions.ts';

const options = JSON.parse(process.argv[2] ?? '') as StartOptions;
console.log(JSON.stringify(await firstRequest(options)));

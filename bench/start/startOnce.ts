// A process of its own: starts once as its argument, `StartOptions` as JSON, says, and prints what that came to as JSON.
import { firstRequest } from './firstRequest.ts';
import type { StartOptions } from './startOptions.ts';

const options = JSON.parse(process.argv[2] ?? '') as StartOptions;
console.log(JSON.stringify(await firstRequest(options)));

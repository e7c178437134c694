/** Never answers one method: `initialize`, `tools/list` or `tools/call`. Says on stderr what it is told meanwhile. */
import { tool } from './messages.ts';
import { noAnswer, serve } from './scriptedServer.ts';

const silent = String(process.argv[2]);

serve({
	'tools/list': () => ({ tools: [tool('wait')] }),
	'notifications/cancelled': (params) => {
		process.stderr.write(`told that request ${params.requestId} is cancelled\n`);
	},
	[silent]: () => {
		process.stderr.write(`${silent} has come\n`);
		return noAnswer;
	},
});

/** Tool `work` reports progress every 50 ms, for as many steps as asked for, and then answers. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, text, tool } from './messages.ts';
import { send, serve } from './scriptedServer.ts';

serve({
	'tools/list': () => ({ tools: [tool('work')] }),
	'tools/call': async (params) => {
		const steps = Number((params.arguments as Json).steps);
		const progressToken = (params._meta as Json).progressToken;
		for (let progress = 1; progress <= steps; progress += 1) {
			await delay(50);
			send({ method: 'notifications/progress', params: { progressToken, progress, total: steps } });
		}
		return text('done');
	},
});

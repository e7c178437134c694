/** Becomes ready and dies a moment later, every time. */
import { tool } from './messages.ts';
import { serve } from './scriptedServer.ts';

serve({
	'tools/list': () => {
		setTimeout(() => process.exit(1), 20);
		return { tools: [tool('brief')] };
	},
});

/** Lists page by page: `empty-cursor` names the second page with the empty string, `repeating` never moves on, `endless` always does. */
import { tool } from './messages.ts';
import { serve } from './scriptedServer.ts';

const mode = process.argv[2];
let page = 0;

serve({
	'tools/list': ({ cursor }) => {
		page = cursor === undefined ? 1 : page + 1;
		const tools = [tool(`page-${page}`)];
		if (mode === 'empty-cursor') return page === 1 ? { tools, nextCursor: '' } : { tools };
		if (mode === 'repeating') return { tools, nextCursor: 'again' };
		return { tools, nextCursor: `after-${page}` };
	},
});

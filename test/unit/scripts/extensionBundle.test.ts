import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { bundleOptions, leaveOutUnused } from '../../../scripts/extensionBundle.ts';

async function build(patterns: readonly RegExp[]): Promise<void> {
	const options = bundleOptions('src/mcp/connection/connect.ts');
	const bundle = await rolldown({ ...options, plugins: [leaveOutUnused(true, patterns)] });
	await bundle.generate().finally(() => bundle.close());
}

test('a bundle fails if a pattern of unused modules matches none of them, and names the pattern', async () => {
	const validator = /\/@modelcontextprotocol\/client\/dist\/ajvProvider-\w+\.mjs$/;
	await expect(build([validator])).resolves.toBeUndefined();
	await expect(build([validator, /\/client\/moved\//])).rejects.toThrow('client\\/moved');
});

import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { bundleOptions, leaveOutUnused } from '../../../scripts/extensionBundle.ts';

async function build(patterns: readonly RegExp[]): Promise<void> {
	const options = bundleOptions('src/models/openai/client.ts');
	const bundle = await rolldown({ ...options, plugins: [leaveOutUnused(true, patterns)] });
	await bundle.generate().finally(() => bundle.close());
}

test('a bundle fails if a pattern of unused modules matches none of them, and names the pattern', async () => {
	const audio = /\/openai\/resources\/audio\//;
	await expect(build([audio])).resolves.toBeUndefined();
	await expect(build([audio, /\/openai\/moved\//])).rejects.toThrow('openai\\/moved');
});
